-- What each audit said: of published versions from the table file, of all other attempts from the log.
CREATE VIEW fk_audit AS
SELECT
    audit.version, made.scan_md5, 'published' AS state, audit.name, audit.ok, audit.message, audit.figures,
    audit.findings, audit.accepted_because, made.created_at AS time_utc, NULL::VARCHAR AS merge_id
FROM table_file.fk_audit AS audit
JOIN table_file.fk_version AS made USING (version)
UNION ALL BY NAME
SELECT
    merge.version, merge.scan_md5, merge.state, audit.name, audit.ok, audit.message, audit.figures,
    audit.findings, audit.accepted_because, merge.time_utc, audit.merge_id
FROM recorded.merge_audit AS audit
JOIN recorded.merge AS merge USING (merge_id)
WHERE merge.promoted = false
