-- New rows whose pose was measured before, in the parent or earlier in the scan, at another place; the
-- distance is to the pose's first measurement.
WITH measured AS (
  SELECT false AS in_scan, fk_row AS place, NULL AS line, ee_x, ee_y, ee_z, j0, j1, j2, j3, j4, j5
  FROM parent_repeat
  UNION ALL
  SELECT true AS in_scan, f.ordinal AS place, s.line, f.ee_x, f.ee_y, f.ee_z, f.j0, f.j1, f.j2, f.j3, f.j4, f.j5
  FROM fresh_point AS f
  JOIN scan_point AS s USING (ordinal)
),
repeated AS (
  SELECT j0, j1, j2, j3, j4, j5
  FROM measured
  GROUP BY j0, j1, j2, j3, j4, j5
  HAVING count(*) > 1
),
against_first AS (
  SELECT
    in_scan, line, j0, j1, j2, j3, j4, j5,
    sqrt(
      (ee_x - first_value(ee_x) OVER pose) ** 2
      + (ee_y - first_value(ee_y) OVER pose) ** 2
      + (ee_z - first_value(ee_z) OVER pose) ** 2
    ) AS distance_m
  FROM measured
  SEMI JOIN repeated USING (j0, j1, j2, j3, j4, j5)
  WINDOW pose AS (PARTITION BY j0, j1, j2, j3, j4, j5 ORDER BY in_scan, place)
)
SELECT line, distance_m, j0, j1, j2, j3, j4, j5
FROM against_first
WHERE in_scan AND distance_m > 0
