-- The merges tried in a night.
SELECT
  merge_id, scan_md5, scan_file, state, version, parent, rows, scanned, added, duplicates, probes, improved, worse,
  unchanged, duration_s, task_run_id
FROM merge
WHERE night_id = $night_id
ORDER BY time_utc
