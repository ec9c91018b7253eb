-- The flow run that was recorded last, by Prefect's id, and how many of its tasks ended.
SELECT prefect_flow_run_id, (SELECT count(*) FROM task_run t WHERE t.flow_run_id = f.flow_run_id AND t.state <> 'unfinished')
FROM flow_run f
WHERE prefect_flow_run_id IS NOT NULL
ORDER BY seq DESC
LIMIT 1
