-- The table's versions: what each was built on and added, the proof of its content, its chain fit.
CREATE VIEW fk_version AS
SELECT
    version, parent, rows, first_row AS first_fk_row, scanned, added, duplicates,
    scan_md5, scan_file, angle_unit, length_unit, content_md5,
    created_at AS created_utc, robot, robot_md5,
    fit_rows, fit_tip_x_m, fit_tip_y_m, fit_tip_z_m,
    sqrt(fit_sum_squares_m2 / nullif(fit_rows, 0)) AS fit_rms_m,
    fit_worst_m, fit_axes,
    version IN (SELECT version FROM table_file.fk_current) AS is_current,
    coalesce(scan_reading, 1) AS scan_reading
FROM table_file.fk_version
