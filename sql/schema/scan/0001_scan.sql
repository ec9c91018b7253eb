-- A kept scan's manifest, as `scan ingest` writes it beside the raw file.
CREATE TABLE scan (
    sequence            BIGINT,
    md5                 VARCHAR,
    file                VARCHAR,
    raw                 VARCHAR,
    ingested_at         TIMESTAMPTZ,
    rows                BIGINT,
    expected_rows       BIGINT,
    quarantined         BIGINT,
    duplicates_in_file  BIGINT,
    out_of_limits       BIGINT,
    content_md5         VARCHAR,
    robot               VARCHAR,
    angle_unit          VARCHAR,
    length_unit         VARCHAR,
    columns             JSON,
    partial             BOOLEAN,
    encoding            VARCHAR,
    delimiter           VARCHAR,
    decimal_mark        VARCHAR,
    problem_count       BIGINT,
    notes               JSON
);
