-- What each audit said about one merge.
SELECT name, ok, message, findings, accepted_because
FROM merge_audit
WHERE merge_id = $merge_id
ORDER BY seq
