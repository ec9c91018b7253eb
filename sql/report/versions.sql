-- The table's versions, oldest first.
SELECT version, parent, rows, added, scan_file, content_md5, created_utc, is_current
FROM fk_version
ORDER BY version
