-- What did the audits of the latest ten merges say, blocked ones and dry runs too?
WITH attempt AS (
    SELECT DISTINCT time_utc FROM fk_audit ORDER BY time_utc DESC LIMIT 10
)
SELECT
    fk_audit.time_utc, fk_audit.version, fk_audit.state, fk_audit.name,
    CASE
        WHEN fk_audit.ok THEN 'ok'
        WHEN fk_audit.ok IS NULL THEN 'not applicable'
        WHEN fk_audit.accepted_because IS NOT NULL THEN 'accepted'
        ELSE 'failed'
    END AS verdict,
    fk_audit.message, fk_audit.accepted_because, fk_audit.figures
FROM fk_audit
SEMI JOIN attempt USING (time_utc)
ORDER BY fk_audit.time_utc DESC, fk_audit.version DESC, verdict = 'ok', fk_audit.name
