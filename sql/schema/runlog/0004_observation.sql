-- One measured value: what, how much, in which unit, when, and by which task.
CREATE TABLE observation (
    time_utc     TIMESTAMPTZ,
    seq          BIGINT,
    name         VARCHAR,
    value        DOUBLE,
    unit         VARCHAR,
    task         VARCHAR,
    task_run_id  VARCHAR,
    flow_run_id  VARCHAR,
    night_id     VARCHAR
);
