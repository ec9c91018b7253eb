-- The lookups of some runs, in the order they were made.
SELECT
    run_stem, tag, method, fk_row, aim_x_m, aim_z_m, ee_y_m, d_ee_y_vs_prev_mm, xz_distance_m, binding_filter,
    table_version
FROM lookup_observation
WHERE list_contains($stems, run_stem)
ORDER BY seq
