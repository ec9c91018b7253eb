-- The kept scans, in the order they came in, and the version each went into.
CREATE VIEW scan AS
SELECT
    scan.sequence, scan.md5, scan.file, scan.rows, scan.expected_rows, scan.quarantined,
    scan.duplicates_in_file, scan.out_of_limits, scan.content_md5, scan.angle_unit, scan.length_unit,
    scan.ingested_at AS ingested_utc,
    merged.version,
    CASE WHEN merged.version IS NULL THEN 'pending' ELSE 'merged' END AS state
FROM scan_file.scan AS scan
LEFT JOIN (
    SELECT scan_md5, min(version) AS version FROM table_file.fk_version GROUP BY scan_md5
) AS merged ON merged.scan_md5 = scan.md5
