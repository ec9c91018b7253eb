-- How these flow runs, named by Prefect's id, ended according to the run log.
SELECT prefect_flow_run_id, state, error
FROM flow_run
WHERE state <> 'unfinished' AND list_contains($ids, prefect_flow_run_id)
