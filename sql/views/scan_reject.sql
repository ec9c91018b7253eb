-- The quarantine: lines kept out of scans, as they were, with the first rule each breaks.
CREATE VIEW scan_reject AS
SELECT scan_md5, line, "column" AS column_name, found, rule, raw
FROM scan_file.scan_reject
