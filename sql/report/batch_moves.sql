-- How the motions of each run of a night went: how many, how far off at worst, how many were only reported.
--
-- From the records, not from the view: that would put together the motions of all nights.
SELECT
    run_stem,
    count(DISTINCT move_number)                      AS moves,
    max(off_deg)                                     AS worst_off_deg,
    count(DISTINCT move_number) FILTER (not_moved)   AS not_moved
FROM recorded.arm_move
WHERE night_id = $night_id
GROUP BY run_stem
ORDER BY run_stem
