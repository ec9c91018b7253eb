-- How the arm is, logged every cycle: temperatures, voltages, servo states, reboots, errors.
--
-- A list has one value a joint, j0 first; NULL where the arm did not answer.
CREATE TABLE arm_health (
    time_utc          TIMESTAMPTZ,
    seq               BIGINT,
    arm               VARCHAR,
    run_stem          VARCHAR,
    powered           BOOLEAN,
    temperatures_c    JSON,
    warmest_c         DOUBLE,
    voltages_v        JSON,
    lowest_v          DOUBLE,
    servo_states      JSON,
    reboot_count      BIGINT,
    error_code        INTEGER,
    gripper_open_pct  DOUBLE,
    suspect_calls     BIGINT,
    task_run_id       VARCHAR,
    flow_run_id       VARCHAR,
    night_id          VARCHAR
);
