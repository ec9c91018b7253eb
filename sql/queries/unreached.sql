-- Which targets are not reached, and which filter keeps a nearer row out?
SELECT
    coalesce(binding_filter, 'not known')              AS binding_filter,
    round(aim_x_m, 3)                                  AS aim_x_m,
    round(aim_z_m, 3)                                  AS aim_z_m,
    count(*)                                           AS lookups,
    count(*) FILTER (fk_row IS NULL)                   AS without_row,
    round(median(xz_distance_m) * 1000, 2)             AS median_distance_mm,
    max(time_utc)                                      AS last_utc
FROM lookup_observation
WHERE fk_row IS NULL OR xz_distance_m > 0.003
GROUP BY ALL
ORDER BY lookups DESC, binding_filter, aim_x_m, aim_z_m
