-- Every motion of a run, in the order of recording; a look after it is a later record of the same motion.
CREATE VIEW arm_move AS
SELECT
    run_stem,
    move_number,
    arg_max(run_step, seq)       AS run_step,
    arg_max(commanded_deg, seq)  AS commanded_deg,
    arg_max(reported_deg, seq)   AS reported_deg,
    arg_max(off_deg, seq)        AS off_deg,
    arg_max(speed, seq)          AS speed,
    arg_max(sends, seq)          AS sends,
    arg_max(duration_s, seq)     AS duration_s,
    arg_max(commanded_x_m, seq)  AS commanded_x_m,
    arg_max(commanded_y_m, seq)  AS commanded_y_m,
    arg_max(commanded_z_m, seq)  AS commanded_z_m,
    arg_max(reported_x_m, seq)   AS reported_x_m,
    arg_max(reported_y_m, seq)   AS reported_y_m,
    arg_max(reported_z_m, seq)   AS reported_z_m,
    arg_max(seen_x_m, seq)       AS seen_x_m,
    arg_max(seen_y_m, seq)       AS seen_y_m,
    arg_max(seen_z_m, seq)       AS seen_z_m,
    arg_max(not_moved, seq)      AS not_moved,
    arg_max(task_run_id, seq)    AS task_run_id,
    arg_max(flow_run_id, seq)    AS flow_run_id,
    arg_max(night_id, seq)       AS night_id,
    arg_max(time_utc, seq)       AS time_utc,
    max(seq)                     AS seq
FROM recorded.arm_move
GROUP BY run_stem, move_number
