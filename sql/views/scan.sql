-- The kept scans, how each was read last, where it stands, and the version it went into.
CREATE VIEW scan AS
WITH RECURSIVE lineage (version, parent) AS (
    SELECT version, parent
    FROM table_file.fk_version
    WHERE version = (SELECT version FROM table_file.fk_current)
    UNION
    SELECT older.version, older.parent
    FROM table_file.fk_version AS older
    JOIN lineage ON older.version = lineage.parent
),
latest AS (
    SELECT * REPLACE (coalesce(reading, 1) AS reading)
    FROM scan_file.scan
    QUALIFY row_number() OVER (PARTITION BY md5 ORDER BY reading DESC NULLS LAST) = 1
),
in_use AS (
    SELECT scan_md5, max(version) AS version
    FROM table_file.fk_version
    SEMI JOIN lineage USING (version)
    GROUP BY scan_md5
),
held AS (
    SELECT scan_md5, coalesce(scan_reading, 1) AS reading, max(version) AS version
    FROM table_file.fk_version
    GROUP BY ALL
),
attempt AS (
    SELECT
        scan_md5, coalesce(scan_reading, 1) AS reading,
        arg_max(merge_id, seq) AS merge_id, arg_max(state, seq) AS state, max(time_utc) AS time_utc
    FROM recorded.merge
    WHERE NOT dry_run
    GROUP BY ALL
),
blocked AS (
    SELECT
        attempt.scan_md5, attempt.reading, any_value(attempt.time_utc) AS since_utc,
        string_agg(audit.name, ', ' ORDER BY audit.seq) AS audits
    FROM attempt
    JOIN recorded.merge_audit AS audit USING (merge_id)
    WHERE attempt.state = 'blocked' AND audit.ok = false AND audit.accepted_because IS NULL
    GROUP BY ALL
)
SELECT
    scan.sequence, scan.md5, scan.file,
    CASE
        WHEN in_use.version IS NOT NULL THEN 'merged'
        WHEN held.version IS NOT NULL THEN 'rolled back'
        WHEN scan.set_aside_at IS NOT NULL THEN 'set aside'
        WHEN blocked.audits IS NOT NULL THEN 'blocked'
        ELSE 'pending'
    END AS state,
    coalesce(in_use.version, held.version) AS version,
    scan.ingested_at AS ingested_utc,
    scan.rows, scan.expected_rows, scan.quarantined, scan.duplicates_in_file, scan.out_of_limits,
    scan.content_md5, scan.robot, scan.angle_unit, scan.length_unit, scan.columns, scan.partial,
    scan.encoding, scan.delimiter, scan.decimal_mark, scan.problem_count, scan.notes, scan.raw AS raw_file,
    scan.reading, blocked.audits AS blocked_by, blocked.since_utc AS blocked_since_utc,
    scan.set_aside_at AS set_aside_utc, scan.set_aside_because
FROM latest AS scan
LEFT JOIN in_use ON in_use.scan_md5 = scan.md5
LEFT JOIN held ON held.scan_md5 = scan.md5 AND held.reading = scan.reading
LEFT JOIN blocked ON blocked.scan_md5 = scan.md5 AND blocked.reading = scan.reading
