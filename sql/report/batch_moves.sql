-- How the motions of each run of a night went: how many, how far off at worst, how many were only reported.
SELECT
    run_stem,
    count(*)                         AS moves,
    max(off_deg)                     AS worst_off_deg,
    max(sends)                       AS most_sends,
    count(*) FILTER (not_moved)      AS not_moved
FROM arm_move
WHERE night_id = $night_id
GROUP BY run_stem
ORDER BY run_stem
