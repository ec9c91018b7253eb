-- A kept scan's manifest, as `scan ingest` writes it beside the raw file.
CREATE TABLE scan (
    sequence            BIGINT,
    md5                 VARCHAR,
    file                VARCHAR,
    rows                BIGINT,
    expected_rows       BIGINT,
    quarantined         BIGINT,
    duplicates_in_file  BIGINT,
    out_of_limits       BIGINT,
    content_md5         VARCHAR,
    angle_unit          VARCHAR,
    length_unit         VARCHAR,
    ingested_at         TIMESTAMPTZ
);
