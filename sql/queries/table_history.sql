-- How did the table grow: its versions, the newest first, and which one lookups use?
SELECT
    version, is_current, parent, rows, added, duplicates, scan_file, created_utc,
    round(fit_rms_m * 1000, 4) AS fit_rms_mm, content_md5
FROM fk_version
ORDER BY version DESC
