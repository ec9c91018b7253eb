-- One file offered to `scan ingest`, whatever became of it, or a kept scan set aside and the reason.
CREATE TABLE scan_event (
    time_utc            TIMESTAMPTZ,
    seq                 BIGINT,
    file                VARCHAR,
    md5                 VARCHAR,
    status              VARCHAR,
    rows                BIGINT,
    expected_rows       BIGINT,
    quarantined         BIGINT,
    duplicates_in_file  BIGINT,
    out_of_limits       BIGINT,
    content_md5         VARCHAR,
    problem_count       BIGINT,
    problems            JSON,
    duration_s          DOUBLE,
    task_run_id         VARCHAR,
    flow_run_id         VARCHAR,
    night_id            VARCHAR,
    reading             BIGINT,
    reason              VARCHAR
);
