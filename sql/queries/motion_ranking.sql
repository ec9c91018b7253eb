-- How did the motion variants come out, each in the last study that had it: places, ties, scores, rules broken?
WITH outcome AS (
    SELECT
        study_id, variant, place, passed, repeats, median_rank, low_rank, high_rank, on_front,
        NULL::VARCHAR AS infeasible_because, seq
    FROM motion_rank
    UNION ALL
    SELECT study_id, variant, NULL, 0, 0, NULL, NULL, NULL, false, reason, seq
    FROM motion_run
    WHERE state = 'infeasible'
),
last_outcome AS (
    SELECT * FROM outcome QUALIFY row_number() OVER (PARTITION BY variant ORDER BY seq DESC) = 1
),
score AS (
    SELECT
        study_id, variant,
        median(cycle_s)                AS cycle_s,
        median(spectral_arc_length)    AS spectral_arc_length,
        median(peak_jerk_deg_s3)       AS peak_jerk_deg_s3,
        median(tracking_rms_m) * 1000  AS tracking_rms_mm,
        median(slip_m) * 1000          AS slip_mm
    FROM motion_run
    WHERE placed
    GROUP BY study_id, variant
)
SELECT
    study_id, variant, place, passed, repeats, median_rank, low_rank, high_rank, on_front, infeasible_because,
    cycle_s, spectral_arc_length, peak_jerk_deg_s3, tracking_rms_mm, slip_mm
FROM last_outcome
LEFT JOIN score USING (study_id, variant)
ORDER BY place NULLS LAST, median_rank, variant
