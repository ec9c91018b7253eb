-- Which table rows do placements use, and how well do they place?
SELECT
    pose_id,
    count(*)                                          AS placements,
    count(*) FILTER (refined)                         AS refined,
    count(*) FILTER (place = 'yes')                   AS placed,
    round(median(in_box_dist_mm), 2)                  AS median_mm,
    round(max(in_box_dist_mm), 2)                     AS farthest_mm,
    round(median(sqrt(spacing_x_m ** 2 + spacing_z_m ** 2)) * 1000, 2) AS row_spacing_mm,
    arg_max(method, seq)                              AS latest_method,
    arg_max(run_stem, seq)                            AS latest_run_stem
FROM place
WHERE fk_row IS NOT NULL
GROUP BY pose_id
ORDER BY placements DESC, pose_id
