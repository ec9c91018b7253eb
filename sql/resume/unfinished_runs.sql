-- Which of these flow and task runs never said how they ended.
SELECT 'flow_run' AS relation, flow_run_id AS id, prefect_flow_run_id AS prefect_id
FROM flow_run
WHERE state = 'unfinished' AND list_contains($ids, flow_run_id)
UNION ALL
SELECT 'task_run', task_run_id, prefect_task_run_id
FROM task_run
WHERE state = 'unfinished' AND list_contains($ids, task_run_id)
