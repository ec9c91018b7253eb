-- A task run: our id beside Prefect's, recorded when it starts and when it ends.
CREATE TABLE task_run (
    time_utc             TIMESTAMPTZ,
    seq                  BIGINT,
    task_run_id          VARCHAR,
    prefect_task_run_id  VARCHAR,
    flow_run_id          VARCHAR,
    prefect_flow_run_id  VARCHAR,
    night_id             VARCHAR,
    task                 VARCHAR,
    run_name             VARCHAR,
    started_utc          TIMESTAMPTZ,
    duration_s           DOUBLE,
    state                VARCHAR,
    error                VARCHAR
);
