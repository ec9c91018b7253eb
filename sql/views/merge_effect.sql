-- What each attempted merge changes for each probe.
CREATE VIEW merge_effect AS
SELECT
    merge_id, mode, target_x_m, target_z_m, verdict,
    before_fk_row, before_xz_distance_m, before_method,
    after_fk_row, after_xz_distance_m, after_method,
    binding_filter, time_utc, seq
FROM recorded.merge_effect
