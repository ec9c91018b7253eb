-- The kept scans as `scan list` shows them, the oldest first.
SELECT
    sequence, md5, file, state, rows, version, blocked_by, blocked_since_utc, set_aside_utc, set_aside_because,
    reading, angle_unit, length_unit, quarantined, ingested_utc, raw_file
FROM scan
ORDER BY sequence
