-- The last verdict on these grounds, where it was a no: since when, met by how many nights, which audits failed.
WITH attempt AS (
    SELECT merge_id, state, time_utc, night_id
    FROM merge
    WHERE grounds = $grounds AND NOT dry_run
),
first_no AS (
    SELECT min(time_utc) AS since_utc, min_by(night_id, time_utc) AS night_id
    FROM attempt
    WHERE state = 'blocked'
),
last_attempt AS (
    SELECT merge_id, state FROM attempt ORDER BY time_utc DESC LIMIT 1
),
failed AS (
    SELECT list({'name': audit.name, 'figures': CAST(audit.figures AS VARCHAR)} ORDER BY audit.seq) AS audits
    FROM merge_audit AS audit
    SEMI JOIN last_attempt USING (merge_id)
    WHERE audit.ok = false AND audit.accepted_because IS NULL
)
SELECT
    first_no.since_utc,
    (
        SELECT count(*)
        FROM night
        WHERE night.started_utc >= first_no.since_utc OR night.night_id = first_no.night_id
    ) AS nights,
    failed.audits
FROM first_no, last_attempt, failed
WHERE last_attempt.state = 'blocked'
