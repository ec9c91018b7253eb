-- What changed from each night to the next: table, homing, place of the box, runs, success and distance?
WITH nightly AS (
    SELECT
        run.night_id,
        min(run.started_utc)                      AS started_utc,
        count(*)                                  AS runs,
        count(*) FILTER (place.place = 'yes')     AS placed,
        median(in_box_dist_mm)                    AS median_mm,
        max(run.table_version)                    AS table_version,
        arg_max(run.homing_id, run.seq)           AS homing_id,
        arg_max(run.variant, run.seq)             AS variant,
        median(target_x_m)                        AS box_x_m,
        median(target_z_m)                        AS box_z_m
    FROM run LEFT JOIN place USING (run_stem)
    WHERE run.state <> 'unfinished'
    GROUP BY run.night_id
)
SELECT
    night_id, started_utc, runs, placed,
    round(placed / runs - lag(placed / runs) OVER nights, 4)     AS success_change,
    round(median_mm, 2)                                          AS median_mm,
    round(median_mm - lag(median_mm) OVER nights, 2)             AS median_change_mm,
    table_version,
    table_version IS DISTINCT FROM lag(table_version) OVER nights AS other_table,
    homing_id IS DISTINCT FROM lag(homing_id) OVER nights         AS other_homing,
    round(box_x_m, 4) AS box_x_m, round(box_z_m, 4) AS box_z_m,
    variant
FROM nightly
WINDOW nights AS (ORDER BY started_utc)
ORDER BY started_utc DESC
