-- Which probes did the last merge change, published or not: worse ones first, then by how much?
SELECT
    version, state, mode, target_x_m, target_z_m, verdict,
    round(change_m * 1000, 4) AS change_mm,
    before_fk_row, round(before_xz_distance_m * 1000, 4) AS before_xz_distance_mm, before_method,
    after_fk_row, round(after_xz_distance_m * 1000, 4) AS after_xz_distance_mm, after_method,
    binding_filter
FROM fk_effect
WHERE verdict <> 'unchanged' AND time_utc = (SELECT max(time_utc) FROM fk_effect)
ORDER BY verdict <> 'worse', abs(change_m) DESC NULLS FIRST, mode, target_x_m, target_z_m
