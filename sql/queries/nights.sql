-- How did the nights go, the newest first: when, how long, and how each ended?
SELECT
    night_id, arm, local_date, sequence, started_utc, ended_utc,
    round(date_diff('millisecond', started_utc, ended_utc) / 1000.0, 1) AS duration_s,
    state, error, report_path
FROM night
ORDER BY started_utc DESC
