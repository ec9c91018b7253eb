-- What each audit said about one merge.
SELECT name, ok, message, figures, findings, accepted_because
FROM merge_audit
WHERE merge_id = $merge_id
ORDER BY seq
