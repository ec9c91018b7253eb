-- The runs of one night and what became of each, in the order they started.
SELECT
    run.run_stem, run.run_number, run.state, run.reason, run.rule, run.variant, run.table_version, run.homing_id,
    run.started_utc, run.ended_utc, run.images,
    place.place, place.confidence, place.in_box_dist_mm, place.fk_row, place.pose_id, place.method, place.refined,
    place.target_x_m, place.target_z_m, place.aim_x_m, place.aim_y_m, place.aim_z_m,
    place.seen_x_m, place.seen_z_m, place.looks, place.servo_reason, place.memory_cell, place.height_correction_mm,
    place.j4_selected_deg, place.binding_filter
FROM run LEFT JOIN place USING (run_stem)
WHERE run.night_id = $night_id
ORDER BY run.started_utc, run.run_number, run.run_stem
