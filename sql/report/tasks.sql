-- The tasks that ended in a night, in the order they started.
SELECT task_run_id, task, run_name, started_utc, duration_s, state, error
FROM task_run
WHERE night_id = $night_id AND duration_s IS NOT NULL
ORDER BY started_utc, seq
