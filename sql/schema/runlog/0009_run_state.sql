-- A transition of a pick-place run, in the batch or in the twin: from which state to which, when and why.
--
-- run_stem names the run ('run_0001_20261130_221500', or a motion variant's own); at_s is the time since
-- the run began.
CREATE TABLE run_state (
    time_utc     TIMESTAMPTZ,
    seq          BIGINT,
    run_stem     VARCHAR,
    variant      VARCHAR,
    from_state   VARCHAR,
    state        VARCHAR,
    reason       VARCHAR,
    at_s         DOUBLE,
    task_run_id  VARCHAR,
    flow_run_id  VARCHAR,
    night_id     VARCHAR
);
