-- The figures of the last 30 nights with runs up to this one, this arm's and imported ones, the oldest first.
WITH shown AS (
    SELECT night_id, arm, local_date, sequence, started_utc
    FROM night
    WHERE started_utc <= (SELECT started_utc FROM night WHERE night_id = $night_id)
        AND (arm = (SELECT arm FROM night WHERE night_id = $night_id) OR arm = 'imported')
        AND night_id IN (SELECT night_id FROM run WHERE state <> 'unfinished')
    ORDER BY started_utc DESC
    LIMIT 30
),
ended AS (
    SELECT run.*, place.* EXCLUDE (run_stem, table_version, night_id, time_utc, seq, task_run_id, flow_run_id)
    FROM run
    SEMI JOIN shown USING (night_id)
    LEFT JOIN place USING (run_stem)
    WHERE run.state <> 'unfinished'
),
nightly AS (
    SELECT
        night_id,
        count(*)                                       AS runs,
        count(*) FILTER (place = 'yes')                AS placed,
        count(*) FILTER (place = 'no')                 AS missed,
        count(*) FILTER (state = 'refused')            AS refused,
        count(*) FILTER (state = 'aborted')            AS aborted,
        count(*) FILTER (state NOT IN ('refused', 'aborted') AND coalesce(place, 'unknown') = 'unknown')
                                                       AS not_known,
        median(in_box_dist_mm)                         AS median_mm,
        quantile_cont(in_box_dist_mm, 0.95)            AS p95_mm,
        max(in_box_dist_mm)                            AS farthest_mm,
        median(looks)                                  AS looks,
        median(date_diff('millisecond', started_utc, ended_utc)) / 1000 AS run_s,
        median(sqrt(spacing_x_m ** 2 + spacing_z_m ** 2)) * 1000 AS row_spacing_mm,
        median(sqrt(reality_x_m ** 2 + reality_z_m ** 2)) * 1000 AS twin_against_reality_mm,
        median(sqrt(2) * camera_sigma_m) * 1000        AS camera_mm,
        max(table_version)                             AS table_version,
        arg_max(homing_id, seq)                        AS homing_id,
        arg_max(variant, seq)                          AS variant
    FROM ended
    GROUP BY night_id
),
warmth AS (
    SELECT night_id, max(warmest_c) AS warmest_c, min(lowest_v) AS lowest_v
    FROM arm_health
    SEMI JOIN shown USING (night_id)
    GROUP BY night_id
),
moved AS (
    SELECT night_id, count(DISTINCT (run_stem, move_number)) FILTER (not_moved) AS not_moved
    FROM recorded.arm_move
    SEMI JOIN shown USING (night_id)
    GROUP BY night_id
),
homed AS (
    SELECT homing_id, state AS homing_state, method AS homing_method, residual_px AS homing_residual_px FROM homing
)
SELECT
    shown.arm, shown.local_date, shown.sequence, shown.started_utc, nightly.*, warmth.warmest_c, warmth.lowest_v, moved.not_moved,
    homed.homing_state, homed.homing_method, homed.homing_residual_px
FROM shown
JOIN nightly USING (night_id)
LEFT JOIN warmth USING (night_id)
LEFT JOIN moved USING (night_id)
LEFT JOIN homed USING (homing_id)
ORDER BY shown.started_utc
