-- A line that --quarantine kept out of a scan.
CREATE TABLE scan_reject (
    scan_md5  VARCHAR,
    line      BIGINT,
    raw       VARCHAR,
    "column"  VARCHAR,
    found     VARCHAR,
    rule      VARCHAR,
    reading   BIGINT
);
