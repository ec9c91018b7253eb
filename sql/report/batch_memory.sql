-- What each memory cell that changed in a night held before it and held after it, and what was set aside.
WITH revision AS (
    SELECT *, night_id IS NOT DISTINCT FROM $night_id AS of_night FROM memory_cell
),
span AS (
    SELECT memory_cell, min(revision) AS first, max(revision) AS last
    FROM revision
    WHERE of_night
    GROUP BY memory_cell
),
older AS (
    SELECT revision.memory_cell, max(revision) AS before
    FROM revision JOIN span USING (memory_cell)
    WHERE revision < first
    GROUP BY revision.memory_cell
),
told AS (
    SELECT
        memory_cell,
        count(*)                                          AS revisions,
        count(*) FILTER (reason LIKE 'outlier%')          AS outliers,
        count(*) FILTER (reason LIKE 'reopened%')         AS reopened,
        count(*) FILTER (reason LIKE 'confidence%')       AS not_sure,
        arg_max(reason, revision) FILTER (reason LIKE 'reopened%') AS reopened_because
    FROM revision
    WHERE of_night
    GROUP BY memory_cell
)
SELECT
    span.memory_cell, told.revisions, told.outliers, told.reopened, told.not_sure, told.reopened_because,
    held.bias_x_mm, held.bias_y_mm, held.bias_z_mm, held.sigma_x_mm, held.sigma_y_mm, held.sigma_z_mm,
    held.placements, held.table_version, held.calibration, held.reason,
    was.bias_x_mm AS before_x_mm, was.bias_y_mm AS before_y_mm, was.bias_z_mm AS before_z_mm,
    was.sigma_x_mm AS before_sigma_x_mm, was.sigma_y_mm AS before_sigma_y_mm, was.sigma_z_mm AS before_sigma_z_mm
FROM span
JOIN told USING (memory_cell)
JOIN memory_cell AS held ON held.memory_cell = span.memory_cell AND held.revision = span.last
LEFT JOIN older ON older.memory_cell = span.memory_cell
LEFT JOIN memory_cell AS was ON was.memory_cell = span.memory_cell AND was.revision = older.before
WHERE held.placements > 0 OR was.revision IS NOT NULL
ORDER BY span.memory_cell
