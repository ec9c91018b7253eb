-- The revision of every memory cell that holds: the highest, the latest cell first.
SELECT
    arg_max(memory_cell, revision), max(revision),
    arg_max(bias_x_mm, revision), arg_max(bias_y_mm, revision), arg_max(bias_z_mm, revision),
    arg_max(coalesce(fall_x_mm, 0.0), revision), arg_max(coalesce(fall_z_mm, 0.0), revision),
    arg_max(covariance_m2, revision), arg_max(placements, revision), arg_max(outliers, revision),
    arg_max(table_version, revision), arg_max(calibration, revision), arg_max(reason, revision)
FROM memory_cell
GROUP BY memory_cell
ORDER BY max(seq) DESC
