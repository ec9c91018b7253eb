-- The night that was recorded last: how it ended, why, and where its page is.
SELECT night_id, state, error, report_path, started_utc
FROM night
ORDER BY seq DESC
LIMIT 1
