-- The place of one variant in one study: the median of its ranks over the repeats, with its 95 % interval.
CREATE TABLE motion_rank (
    time_utc     TIMESTAMPTZ,
    seq          BIGINT,
    study_id     VARCHAR,
    variant      VARCHAR,
    place        INTEGER,
    tied_with    JSON,
    median_rank  DOUBLE,
    low_rank     DOUBLE,
    high_rank    DOUBLE,
    passed       INTEGER,
    repeats      INTEGER,
    on_front     BOOLEAN,
    task_run_id  VARCHAR,
    flow_run_id  VARCHAR,
    night_id     VARCHAR
);
