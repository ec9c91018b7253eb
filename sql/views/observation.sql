-- Every measured value: what, how much, in which unit, when, by which task, in which night.
CREATE VIEW observation AS
SELECT name, value, unit, time_utc, task, task_run_id, flow_run_id, night_id, seq
FROM recorded.observation
