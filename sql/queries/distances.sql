-- How far from the box's centre do blocks come to lie, by night and memory cell?
SELECT
    place.night_id,
    place.memory_cell,
    count(*)                                                        AS placements,
    round(median(in_box_dist_mm), 2)                                AS median_mm,
    round(quantile_cont(in_box_dist_mm, 0.95), 2)                   AS p95_mm,
    round(min(in_box_dist_mm), 2)                                   AS nearest_mm,
    round(max(in_box_dist_mm), 2)                                   AS farthest_mm,
    round(arg_max(in_box_dist_mm, run.started_utc), 2)               AS last_mm,
    min(run.started_utc)                                            AS first_utc
FROM place JOIN run USING (run_stem)
WHERE in_box_dist_mm IS NOT NULL
GROUP BY GROUPING SETS ((place.night_id, place.memory_cell), (place.night_id))
ORDER BY min(min(run.started_utc)) OVER (PARTITION BY place.night_id) DESC, place.memory_cell NULLS FIRST
