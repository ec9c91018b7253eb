-- A pick-place run of a batch: recorded before its first motion, when its state changes and when it ends.
--
-- state is 'unfinished' until the end says 'finished', 'refused', 'aborted' or 'unknown'; legacy logs
-- come in as 'imported'.
CREATE TABLE run (
    time_utc       TIMESTAMPTZ,
    seq            BIGINT,
    run_stem       VARCHAR,
    run_number     INTEGER,
    arm            VARCHAR,
    state          VARCHAR,
    reason         VARCHAR,
    rule           VARCHAR,
    variant        VARCHAR,
    table_version  INTEGER,
    homing_id      VARCHAR,
    started_utc    TIMESTAMPTZ,
    ended_utc      TIMESTAMPTZ,
    images         VARCHAR,
    task_run_id    VARCHAR,
    flow_run_id    VARCHAR,
    night_id       VARCHAR
);
