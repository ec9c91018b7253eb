-- How the arm was, one row a cycle.
CREATE VIEW arm_health AS
SELECT
    time_utc, arm, run_stem, powered, temperatures_c, warmest_c, voltages_v, lowest_v, servo_states,
    reboot_count, error_code, gripper_open_pct, suspect_calls, task_run_id, flow_run_id, night_id, seq
FROM recorded.arm_health
