-- The quarantine: lines kept out of scans as they were read last, as they were, with the first rule each breaks.
CREATE VIEW scan_reject AS
SELECT reject.scan_md5, reject.line, reject."column" AS column_name, reject.found, reject.rule, reject.raw
FROM scan_file.scan_reject AS reject
SEMI JOIN scan ON scan.md5 = reject.scan_md5 AND scan.reading = coalesce(reject.reading, 1)
