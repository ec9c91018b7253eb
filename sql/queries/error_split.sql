-- Where does the placing error come from, night by night: the rows' spacing, the twin against reality, the camera?
SELECT
    place.night_id,
    count(*)                                                          AS placements,
    round(sqrt(avg(spacing_x_m ** 2 + spacing_z_m ** 2)) * 1000, 2)   AS row_spacing_rms_mm,
    round(sqrt(avg(reality_x_m ** 2 + reality_z_m ** 2)) * 1000, 2)   AS twin_against_reality_rms_mm,
    round(avg(reality_x_m) * 1000, 2)                                 AS reality_mean_x_mm,
    round(avg(reality_z_m) * 1000, 2)                                 AS reality_mean_z_mm,
    round(sqrt(avg(2 * camera_sigma_m ** 2)) * 1000, 2)               AS camera_rms_mm,
    round(sqrt(avg((seen_x_m - target_x_m) ** 2 + (seen_z_m - target_z_m) ** 2)) * 1000, 2) AS total_rms_mm
FROM place JOIN run USING (run_stem)
WHERE reality_x_m IS NOT NULL
GROUP BY place.night_id
ORDER BY min(run.started_utc) DESC
