-- Append the new rows behind everything there is, in scan order.
INSERT INTO fk_point
SELECT
  $first_row + row_number() OVER (ORDER BY f.ordinal) - 1 AS fk_row,
  f.ee_x, f.ee_y, f.ee_z, f.j0, f.j1, f.j2, f.j3, f.j4, f.j5,
  $version AS version,
  s.line
FROM fresh_point AS f
JOIN scan_point AS s USING (ordinal)
ORDER BY f.ordinal
