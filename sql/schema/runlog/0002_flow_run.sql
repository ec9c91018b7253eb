-- A flow run: our id beside Prefect's, recorded when it starts and when it ends.
CREATE TABLE flow_run (
    time_utc             TIMESTAMPTZ,
    seq                  BIGINT,
    flow_run_id          VARCHAR,
    prefect_flow_run_id  VARCHAR,
    night_id             VARCHAR,
    flow                 VARCHAR,
    started_utc          TIMESTAMPTZ,
    ended_utc            TIMESTAMPTZ,
    state                VARCHAR,
    error                VARCHAR
);
