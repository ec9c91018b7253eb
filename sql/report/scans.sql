-- The files offered in a night, and what became of each.
SELECT time_utc, file, status, rows, quarantined, duplicates_in_file, out_of_limits, problem_count, problems
FROM scan_event
WHERE night_id = $night_id
ORDER BY time_utc
