-- One joint variable of one homing; what was not seen is NULL and stays NULL.
CREATE TABLE homing_joint (
    time_utc      TIMESTAMPTZ,
    seq           BIGINT,
    homing_id     VARCHAR,
    variable      VARCHAR,
    value         DOUBLE,
    unit          VARCHAR,
    observable    BOOLEAN,
    confidence    VARCHAR,
    std           DOUBLE,
    n_markers     INTEGER,
    method        VARCHAR,
    encoder       DOUBLE,
    joint_offset  DOUBLE,
    task_run_id   VARCHAR,
    flow_run_id   VARCHAR,
    night_id      VARCHAR
);
