-- One motion of a run: where the arm was told to go, where it says it is, where the held block was seen.
--
-- A list has one value a joint, j0 first; seen is NULL where nobody looked after the motion.
CREATE TABLE arm_move (
    time_utc       TIMESTAMPTZ,
    seq            BIGINT,
    run_stem       VARCHAR,
    move_number    INTEGER,
    run_step       VARCHAR,
    commanded_deg  JSON,
    reported_deg   JSON,
    off_deg        DOUBLE,
    speed          INTEGER,
    sends          INTEGER,
    duration_s     DOUBLE,
    commanded_x_m  DOUBLE,
    commanded_y_m  DOUBLE,
    commanded_z_m  DOUBLE,
    reported_x_m   DOUBLE,
    reported_y_m   DOUBLE,
    reported_z_m   DOUBLE,
    seen_x_m       DOUBLE,
    seen_y_m       DOUBLE,
    seen_z_m       DOUBLE,
    not_moved      BOOLEAN,
    task_run_id    VARCHAR,
    flow_run_id    VARCHAR,
    night_id       VARCHAR
);
