-- What each audit said about each attempted merge.
CREATE VIEW merge_audit AS
SELECT merge_id, name, ok, message, figures, findings, accepted_because, time_utc, seq
FROM recorded.merge_audit
