-- Every lookup that a batch made, in the order of recording.
CREATE VIEW lookup_observation AS
SELECT
    run_stem, tag, method, fk_row, aim_x_m, aim_z_m, ee_y_m, d_ee_y_vs_prev_mm, xz_distance_m,
    max_dj_deg, target_deg, binding_filter, table_version, time_utc, task_run_id, flow_run_id,
    night_id, seq
FROM recorded.lookup_observation
