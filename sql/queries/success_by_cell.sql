-- How often does a placement succeed, by night and memory cell, with the 95 % Wilson interval?
--
-- Without a cell: the whole night. Refused, aborted and unknown runs count as no success; E. B. Wilson
-- 1927, z = 1.96.
WITH counted AS (
    SELECT
        run.night_id,
        CASE WHEN grouping(place.memory_cell) = 0 THEN coalesce(place.memory_cell, 'no placement') END
                                                    AS memory_cell,
        count(*)                                    AS runs,
        count(*) FILTER (place.place = 'yes')       AS placed,
        count(*) FILTER (run.state = 'refused')     AS refused,
        min(run.started_utc)                        AS first_utc
    FROM run LEFT JOIN place USING (run_stem)
    WHERE run.state <> 'unfinished'
    GROUP BY GROUPING SETS ((run.night_id, place.memory_cell), (run.night_id))
),
shares AS (
    SELECT *, placed / runs AS share, 1.96 * 1.96 / runs AS z2_n FROM counted
)
SELECT
    night_id, memory_cell, runs, placed, refused,
    round(share, 4) AS success_share,
    round(greatest((share + z2_n / 2 - sqrt(z2_n * (share * (1 - share) + z2_n / 4))) / (1 + z2_n), 0), 4)
        AS wilson_low,
    round(least((share + z2_n / 2 + sqrt(z2_n * (share * (1 - share) + z2_n / 4))) / (1 + z2_n), 1), 4)
        AS wilson_high
FROM shares
ORDER BY min(first_utc) OVER (PARTITION BY night_id) DESC, memory_cell NULLS FIRST
