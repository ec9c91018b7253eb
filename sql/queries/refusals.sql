-- What was refused, by rule: motions by the gate, runs by the batch, how often, when first and last?
SELECT rule, what, count(*) AS refusals, min(time_utc) AS first_utc, max(time_utc) AS last_utc,
    arg_max(message, seq) AS latest
FROM (
    SELECT rule, 'motion' AS what, time_utc, message, seq FROM gate_refusal
    UNION ALL
    SELECT coalesce(rule, 'not said'), 'run', time_utc, reason, seq FROM run WHERE state = 'refused'
)
GROUP BY rule, what
ORDER BY refusals DESC, rule, what
