-- One row a task run, as last recorded: our id beside Prefect's.
CREATE VIEW task_run AS
SELECT
    task_run_id,
    arg_max(prefect_task_run_id, seq)  AS prefect_task_run_id,
    arg_max(flow_run_id, seq)          AS flow_run_id,
    arg_max(prefect_flow_run_id, seq)  AS prefect_flow_run_id,
    arg_max(night_id, seq)             AS night_id,
    arg_max(task, seq)                 AS task,
    arg_max(run_name, seq)             AS run_name,
    arg_max(started_utc, seq)          AS started_utc,
    arg_max(duration_s, seq)           AS duration_s,
    arg_max(state, seq)                AS state,
    arg_max(error, seq)                AS error,
    arg_max(time_utc, seq)             AS time_utc,
    max(seq)                           AS seq
FROM recorded.task_run
GROUP BY task_run_id
