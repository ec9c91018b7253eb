-- The newest record of one night.
SELECT night_id, arm, local_date, sequence, started_utc, ended_utc, state, error, runs, batch_end
FROM night
WHERE night_id = $night_id
ORDER BY time_utc DESC, seq DESC
LIMIT 1
