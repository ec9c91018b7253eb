-- Every probe of one merge, before and after.
SELECT
  mode, target_x_m, target_z_m, verdict, before_fk_row, before_xz_distance_m, after_fk_row,
  after_xz_distance_m, after_method, binding_filter
FROM merge_effect
WHERE merge_id = $merge_id
ORDER BY seq
