-- The quarantine: rows kept out of scans, with what was found and the rule it breaks.
CREATE VIEW scan_reject AS
SELECT scan_md5, line, "column", found, rule
FROM scan_file.scan_reject
