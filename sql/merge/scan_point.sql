-- The scan to merge, in file order.
INSERT INTO scan_point
SELECT file_row_number AS ordinal, line, ee_x, ee_y, ee_z, j0, j1, j2, j3, j4, j5
FROM read_parquet($points, file_row_number = true)
