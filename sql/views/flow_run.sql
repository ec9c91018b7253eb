-- One row a flow run, as last recorded: our id beside Prefect's.
CREATE VIEW flow_run AS
SELECT
    flow_run_id,
    arg_max(prefect_flow_run_id, seq)  AS prefect_flow_run_id,
    arg_max(night_id, seq)             AS night_id,
    arg_max(flow, seq)                 AS flow,
    arg_max(started_utc, seq)          AS started_utc,
    arg_max(ended_utc, seq)            AS ended_utc,
    arg_max(state, seq)                AS state,
    arg_max(error, seq)                AS error,
    arg_max(time_utc, seq)             AS time_utc,
    max(seq)                           AS seq
FROM recorded.flow_run
GROUP BY flow_run_id
