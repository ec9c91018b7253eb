-- Every file offered to `scan ingest`, whatever became of it, and every kept scan that was set aside.
CREATE VIEW scan_event AS
SELECT
    time_utc, file, md5, status, rows, expected_rows, quarantined, duplicates_in_file, out_of_limits,
    content_md5, problem_count, problems, duration_s, task_run_id, flow_run_id, night_id, seq, reading, reason
FROM recorded.scan_event
