-- The merges tried in a night.
SELECT merge_id, scan_file, state, version, rows, scanned, added, duplicates, improved, worse, unchanged, duration_s
FROM merge
WHERE night_id = $night_id
ORDER BY time_utc
