-- Which scans were kept, the newest first, where does each stand, and which version did it go into?
SELECT
    sequence, file, state, version, rows, quarantined, duplicates_in_file, out_of_limits, ingested_utc, md5,
    blocked_by, set_aside_because
FROM scan
ORDER BY sequence DESC
