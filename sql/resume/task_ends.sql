-- How the tasks of these flow runs, named by Prefect's id, ended according to the run log.
SELECT prefect_task_run_id, state
FROM task_run
WHERE prefect_task_run_id IS NOT NULL AND list_contains($ids, prefect_flow_run_id)
