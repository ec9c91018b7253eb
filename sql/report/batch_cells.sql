-- How each memory cell did in this night and in the one before it: counts and distances.
SELECT
    run.night_id, coalesce(place.memory_cell, 'no placement') AS memory_cell,
    count(*)                                 AS runs,
    count(*) FILTER (place.place = 'yes')    AS placed,
    median(in_box_dist_mm)                   AS median_mm,
    quantile_cont(in_box_dist_mm, 0.95)      AS p95_mm
FROM run LEFT JOIN place USING (run_stem)
WHERE run.night_id IN ($night_id, $before_id) AND run.state <> 'unfinished'
GROUP BY ALL
ORDER BY memory_cell, run.night_id
