-- Rows of the scan whose pose was measured before, in the parent or earlier in the scan, at another place;
-- the distance is to the pose's first measurement.
WITH measured AS (
  SELECT fk_row - 9000000000000 AS rank, NULL AS line, ee_x, ee_y, ee_z, j0, j1, j2, j3, j4, j5 FROM parent_repeat
  UNION ALL
  SELECT ordinal AS rank, line, ee_x, ee_y, ee_z, j0, j1, j2, j3, j4, j5 FROM scan_point
),
repeated AS (
  SELECT j0, j1, j2, j3, j4, j5
  FROM measured
  GROUP BY j0, j1, j2, j3, j4, j5
  HAVING count(*) > 1
),
against_first AS (
  SELECT
    line, j0, j1, j2, j3, j4, j5,
    sqrt(
      (ee_x - first_value(ee_x) OVER pose) ** 2
      + (ee_y - first_value(ee_y) OVER pose) ** 2
      + (ee_z - first_value(ee_z) OVER pose) ** 2
    ) AS distance_m
  FROM measured
  SEMI JOIN repeated USING (j0, j1, j2, j3, j4, j5)
  WINDOW pose AS (PARTITION BY j0, j1, j2, j3, j4, j5 ORDER BY rank)
)
SELECT line, distance_m, j0, j1, j2, j3, j4, j5
FROM against_first
WHERE line IS NOT NULL AND distance_m > 0
