-- Do runs fail more often when the arm is warm: runs and failures by the warmest servo, in steps of 5 degrees?
WITH warmest AS (
    SELECT run_stem, max(warmest_c) AS warmest_c, min(lowest_v) AS lowest_v
    FROM arm_health
    WHERE run_stem IS NOT NULL AND warmest_c IS NOT NULL
    GROUP BY run_stem
)
SELECT
    5 * floor(warmest_c / 5)                                      AS from_c,
    5 * floor(warmest_c / 5) + 5                                  AS below_c,
    count(*)                                                      AS runs,
    count(*) FILTER (place.place IS DISTINCT FROM 'yes')          AS failed,
    round(count(*) FILTER (place.place IS DISTINCT FROM 'yes') / count(*), 4) AS failed_share,
    round(median(in_box_dist_mm), 2)                              AS median_mm,
    round(min(lowest_v), 2)                                       AS lowest_v
FROM warmest JOIN run USING (run_stem) LEFT JOIN place USING (run_stem)
WHERE run.state <> 'unfinished'
GROUP BY floor(warmest_c / 5)
ORDER BY from_c
