-- The scan's rows that are new: not equal in all nine columns to a row of the parent, and each once.
CREATE OR REPLACE TEMP TABLE fresh_point AS
SELECT min(s.ordinal) AS ordinal, s.ee_x, s.ee_y, s.ee_z, s.j0, s.j1, s.j2, s.j3, s.j4, s.j5
FROM scan_point AS s
ANTI JOIN parent_repeat AS p USING (ee_x, ee_y, ee_z, j0, j1, j2, j3, j4, j5)
GROUP BY s.ee_x, s.ee_y, s.ee_z, s.j0, s.j1, s.j2, s.j3, s.j4, s.j5
