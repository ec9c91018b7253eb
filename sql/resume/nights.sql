-- The nights of one arm, oldest first: which numbers are taken, and which night did not end.
SELECT night_id, arm, local_date, sequence, started_utc, state, runs, kind
FROM night
WHERE arm = $arm
ORDER BY started_utc
