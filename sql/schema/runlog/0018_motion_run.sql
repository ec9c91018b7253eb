-- A motion variant played in the twin, or found infeasible: recorded before its first frame and when it ends.
--
-- state is 'unfinished' until the end says 'complete', 'aborted' or 'infeasible'; the scores are those of
-- one repeat, NULL where the run never came to them.
CREATE TABLE motion_run (
    time_utc                TIMESTAMPTZ,
    seq                     BIGINT,
    run_stem                VARCHAR,
    study_id                VARCHAR,
    variant                 VARCHAR,
    approach                VARCHAR,
    move_s                  DOUBLE,
    repeat                  INTEGER,
    seed                    BIGINT,
    state                   VARCHAR,
    rule                    VARCHAR,
    reason                  VARCHAR,
    placed                  BOOLEAN,
    place_distance_m        DOUBLE,
    clearance_m             DOUBLE,
    slip_m                  DOUBLE,
    release_height_m        DOUBLE,
    cycle_s                 DOUBLE,
    spectral_arc_length     DOUBLE,
    log_dimensionless_jerk  DOUBLE,
    peak_jerk_deg_s3        DOUBLE,
    tracking_rms_m          DOUBLE,
    settling_s              DOUBLE,
    path_ratio              DOUBLE,
    joint_speed_share       DOUBLE,
    diagnoses               JSON,
    frame_log               VARCHAR,
    task_run_id             VARCHAR,
    flow_run_id             VARCHAR,
    night_id                VARCHAR
);
