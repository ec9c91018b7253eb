-- Every joint variable of every homing.
CREATE VIEW homing_joint AS
SELECT
    homing_id, variable, value, unit, observable, confidence, std, n_markers, method, encoder,
    joint_offset, time_utc, task_run_id, flow_run_id, night_id, seq
FROM recorded.homing_joint
