-- What has each memory cell learned, and how far has it moved since the night before?
WITH nightly AS (
    SELECT
        memory_cell, night_id,
        max(revision) AS revision,
        arg_max(bias_x_mm, revision) AS bias_x_mm,
        arg_max(bias_y_mm, revision) AS bias_y_mm,
        arg_max(bias_z_mm, revision) AS bias_z_mm,
        arg_max(greatest(sigma_x_mm, sigma_z_mm), revision) AS sigma_mm,
        arg_max(placements, revision) AS placements,
        count(*) FILTER (reason LIKE 'outlier%' OR reason LIKE 'reopened%') AS outliers,
        max(time_utc) AS last_utc
    FROM memory_cell
    GROUP BY memory_cell, night_id
)
SELECT
    memory_cell, night_id, placements,
    round(bias_x_mm, 2) AS bias_x_mm, round(bias_y_mm, 2) AS bias_y_mm, round(bias_z_mm, 2) AS bias_z_mm,
    round(sigma_mm, 2) AS sigma_mm,
    round(sqrt((bias_x_mm - lag(bias_x_mm) OVER cells) ** 2 + (bias_y_mm - lag(bias_y_mm) OVER cells) ** 2
        + (bias_z_mm - lag(bias_z_mm) OVER cells) ** 2), 2) AS moved_mm,
    outliers, last_utc
FROM nightly
WINDOW cells AS (PARTITION BY memory_cell ORDER BY revision)
ORDER BY memory_cell, revision DESC
