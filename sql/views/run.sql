-- One row a pick-place run, as last recorded; a column keeps its value until a later record gives another.
CREATE VIEW run AS
SELECT
    run_stem,
    arg_max(run_number, seq)    AS run_number,
    arg_max(arm, seq)           AS arm,
    arg_max(state, seq)         AS state,
    arg_max(reason, seq)        AS reason,
    arg_max(rule, seq)          AS rule,
    arg_max(variant, seq)       AS variant,
    arg_max(table_version, seq) AS table_version,
    arg_max(homing_id, seq)     AS homing_id,
    arg_max(started_utc, seq)   AS started_utc,
    arg_max(ended_utc, seq)     AS ended_utc,
    arg_max(images, seq)        AS images,
    arg_max(task_run_id, seq)   AS task_run_id,
    arg_max(flow_run_id, seq)   AS flow_run_id,
    arg_max(night_id, seq)      AS night_id,
    arg_max(time_utc, seq)      AS time_utc,
    max(seq)                    AS seq
FROM recorded.run
GROUP BY run_stem
