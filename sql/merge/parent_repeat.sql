-- The rows of the parent whose pose the scan measures again.
CREATE OR REPLACE TEMP TABLE parent_repeat AS
SELECT p.fk_row, p.ee_x, p.ee_y, p.ee_z, p.j0, p.j1, p.j2, p.j3, p.j4, p.j5
FROM fk_point AS p
SEMI JOIN scan_point AS s USING (j0, j1, j2, j3, j4, j5)
SEMI JOIN parent_version AS v ON p.version = v.version
