-- The verdict of one audit on one merge attempt; ok is NULL where the audit does not apply.
CREATE TABLE merge_audit (
    time_utc          TIMESTAMPTZ,
    seq               BIGINT,
    merge_id          VARCHAR,
    name              VARCHAR,
    ok                BOOLEAN,
    message           VARCHAR,
    figures           JSON,
    findings          JSON,
    accepted_because  VARCHAR
);
