-- The files offered in a night, and what became of each; of a file offered more than once what came of it last.
SELECT
  time_utc, file, status, rows, quarantined, duplicates_in_file, out_of_limits, problem_count, problems, task_run_id
FROM scan_event
WHERE night_id = $night_id
QUALIFY row_number() OVER (PARTITION BY file, md5 ORDER BY seq DESC) = 1
ORDER BY time_utc
