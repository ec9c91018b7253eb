-- Every transition of every run, in the order of recording.
CREATE VIEW run_state AS
SELECT
    run_stem, variant, from_state, state, reason, at_s, time_utc,
    task_run_id, flow_run_id, night_id, seq
FROM recorded.run_state
