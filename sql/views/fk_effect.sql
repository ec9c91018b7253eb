-- What each merge changed for each probe: published versions from the table file, other attempts from the log.
CREATE VIEW fk_effect AS
SELECT
    effect.version, 'published' AS state, effect.mode, effect.target_x_m, effect.target_z_m, effect.verdict,
    effect.before_fk_row, effect.before_xz_distance_m, effect.before_method,
    effect.after_fk_row, effect.after_xz_distance_m, effect.after_method,
    effect.after_xz_distance_m - effect.before_xz_distance_m AS change_m,
    effect.binding_filter, made.created_at AS time_utc, NULL::VARCHAR AS merge_id
FROM table_file.fk_effect AS effect
JOIN table_file.fk_version AS made USING (version)
UNION ALL BY NAME
SELECT
    merge.version, merge.state, effect.mode, effect.target_x_m, effect.target_z_m, effect.verdict,
    effect.before_fk_row, effect.before_xz_distance_m, effect.before_method,
    effect.after_fk_row, effect.after_xz_distance_m, effect.after_method,
    effect.after_xz_distance_m - effect.before_xz_distance_m AS change_m,
    effect.binding_filter, merge.time_utc, effect.merge_id
FROM recorded.merge_effect AS effect
JOIN recorded.merge AS merge USING (merge_id)
WHERE merge.promoted = false
