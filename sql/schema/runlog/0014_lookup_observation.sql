-- One lookup of a batch as observed: what was selected, and how it differs from the one before of its kind.
CREATE TABLE lookup_observation (
    time_utc           TIMESTAMPTZ,
    seq                BIGINT,
    run_stem           VARCHAR,
    tag                VARCHAR,
    method             VARCHAR,
    fk_row             BIGINT,
    aim_x_m            DOUBLE,
    aim_z_m            DOUBLE,
    ee_y_m             DOUBLE,
    d_ee_y_vs_prev_mm  DOUBLE,
    xz_distance_m      DOUBLE,
    max_dj_deg         DOUBLE,
    target_deg         JSON,
    binding_filter     VARCHAR,
    table_version      INTEGER,
    task_run_id        VARCHAR,
    flow_run_id        VARCHAR,
    night_id           VARCHAR
);
