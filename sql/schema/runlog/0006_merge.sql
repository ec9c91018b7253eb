-- One attempt to merge one scan: published, blocked by an audit, dry run or failed.
--
-- version is the number published, or the one it would have had; probes and the three counts beside
-- it sum up the effect, whose rows are in merge_effect. grounds is a hash of all that the audits went by.
CREATE TABLE merge (
    time_utc     TIMESTAMPTZ,
    seq          BIGINT,
    merge_id     VARCHAR,
    scan_md5     VARCHAR,
    scan_file    VARCHAR,
    state        VARCHAR,
    dry_run      BOOLEAN,
    promoted     BOOLEAN,
    version      INTEGER,
    parent       INTEGER,
    rows         BIGINT,
    scanned      BIGINT,
    added        BIGINT,
    duplicates   BIGINT,
    content_md5  VARCHAR,
    probes       BIGINT,
    improved     BIGINT,
    worse        BIGINT,
    unchanged    BIGINT,
    started_utc  TIMESTAMPTZ,
    duration_s   DOUBLE,
    error        VARCHAR,
    task_run_id  VARCHAR,
    flow_run_id  VARCHAR,
    night_id     VARCHAR,
    scan_reading BIGINT,
    grounds      VARCHAR
);
