-- A revision of one memory cell: what it holds, how sure it is, and what made it so.
--
-- bias: where things come to lie less the tip of the pose used; fall: less where they hung before.
CREATE TABLE memory_cell (
    time_utc       TIMESTAMPTZ,
    seq            BIGINT,
    memory_cell    VARCHAR,
    revision       BIGINT,
    bias_x_mm      DOUBLE,
    bias_y_mm      DOUBLE,
    bias_z_mm      DOUBLE,
    sigma_x_mm     DOUBLE,
    sigma_y_mm     DOUBLE,
    sigma_z_mm     DOUBLE,
    fall_x_mm      DOUBLE,
    fall_z_mm      DOUBLE,
    covariance_m2  JSON,
    placements     INTEGER,
    outliers       INTEGER,
    table_version  INTEGER,
    calibration    VARCHAR,
    reason         VARCHAR,
    run_stem       VARCHAR,
    task_run_id    VARCHAR,
    flow_run_id    VARCHAR,
    night_id       VARCHAR
);
