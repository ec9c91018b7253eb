-- Every revision of every memory cell; the one with the highest revision holds.
CREATE VIEW memory_cell AS
SELECT
    memory_cell, revision, bias_x_mm, bias_y_mm, bias_z_mm, sigma_x_mm, sigma_y_mm, sigma_z_mm,
    fall_x_mm, fall_z_mm, covariance_m2, placements, outliers, table_version, calibration, reason, run_stem, time_utc,
    task_run_id, flow_run_id, night_id, seq
FROM recorded.memory_cell
