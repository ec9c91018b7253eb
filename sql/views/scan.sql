-- The kept scans, how each was read, and the version it went into.
CREATE VIEW scan AS
SELECT
    scan.sequence, scan.md5, scan.file,
    CASE WHEN merged.version IS NULL THEN 'pending' ELSE 'merged' END AS state,
    merged.version,
    scan.ingested_at AS ingested_utc,
    scan.rows, scan.expected_rows, scan.quarantined, scan.duplicates_in_file, scan.out_of_limits,
    scan.content_md5, scan.robot, scan.angle_unit, scan.length_unit, scan.columns, scan.partial,
    scan.encoding, scan.delimiter, scan.decimal_mark, scan.problem_count, scan.notes, scan.raw AS raw_file
FROM scan_file.scan AS scan
LEFT JOIN (
    SELECT scan_md5, min(version) AS version FROM table_file.fk_version GROUP BY scan_md5
) AS merged ON merged.scan_md5 = scan.md5
