-- How many probes did each merge improve, and which filter binds most of those it did not?
SELECT
    time_utc, version, state, mode,
    count(*)                                     AS probes,
    count(*) FILTER (verdict = 'improved')       AS improved,
    count(*) FILTER (verdict = 'worse')          AS worse,
    count(*) FILTER (verdict = 'unchanged')      AS unchanged,
    mode(binding_filter) FILTER (verdict <> 'improved') AS commonest_binding_filter
FROM fk_effect
GROUP BY time_utc, version, state, mode
ORDER BY time_utc DESC, version DESC, mode
