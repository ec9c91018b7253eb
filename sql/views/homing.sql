-- One row a homing, as last recorded.
CREATE VIEW homing AS
SELECT
    homing_id,
    arg_max(arm, seq)         AS arm,
    arg_max(robot, seq)       AS robot,
    arg_max(robot_md5, seq)   AS robot_md5,
    arg_max(source, seq)      AS source,
    arg_max(method, seq)      AS method,
    arg_max(state, seq)       AS state,
    arg_max(residual_px, seq) AS residual_px,
    arg_max(cameras, seq)     AS cameras,
    arg_max(markers, seq)     AS markers,
    arg_max(rejected, seq)    AS rejected,
    arg_max(warnings, seq)    AS warnings,
    arg_max(seed, seq)        AS seed,
    arg_max(images, seq)      AS images,
    arg_max(started_utc, seq) AS started_utc,
    arg_max(duration_s, seq)  AS duration_s,
    arg_max(error, seq)       AS error,
    arg_max(task_run_id, seq) AS task_run_id,
    arg_max(flow_run_id, seq) AS flow_run_id,
    arg_max(night_id, seq)    AS night_id,
    arg_max(time_utc, seq)    AS time_utc,
    max(seq)                  AS seq
FROM recorded.homing
GROUP BY homing_id
