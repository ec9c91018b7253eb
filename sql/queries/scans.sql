-- Which scans were kept, the newest first, and which version did each go into?
SELECT sequence, file, state, version, rows, quarantined, duplicates_in_file, out_of_limits, ingested_utc, md5
FROM scan
ORDER BY sequence DESC
