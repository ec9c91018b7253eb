-- The places of all variants of all studies.
CREATE VIEW motion_rank AS
SELECT
    study_id, variant, place, tied_with, median_rank, low_rank, high_rank, passed, repeats, on_front,
    time_utc, task_run_id, flow_run_id, night_id, seq
FROM recorded.motion_rank
