-- The runs of one arm that began and never said how they ended.
SELECT run_stem, night_id, flow_run_id, task_run_id
FROM run
WHERE arm = $arm AND state = 'unfinished'
ORDER BY seq
