-- What was refused in one night, by rule: motions by the gate and whole runs.
SELECT rule, what, count(*) AS refusals, min(time_utc) AS first_utc, max(time_utc) AS last_utc,
    arg_max(message, seq) AS latest
FROM (
    SELECT rule, 'motion' AS what, time_utc, message, seq FROM gate_refusal WHERE night_id = $night_id
    UNION ALL
    SELECT coalesce(rule, 'not said'), 'run', time_utc, reason, seq
    FROM run
    WHERE state = 'refused' AND night_id = $night_id
)
GROUP BY rule, what
ORDER BY refusals DESC, rule, what
