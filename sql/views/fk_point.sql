-- The measured poses of every version; in_current tells those that lookups use now.
CREATE VIEW fk_point AS
WITH RECURSIVE lineage (version, parent) AS (
    SELECT version, parent
    FROM table_file.fk_version
    WHERE version = (SELECT version FROM table_file.fk_current)
    UNION
    SELECT older.version, older.parent
    FROM table_file.fk_version AS older
    JOIN lineage ON older.version = lineage.parent
)
SELECT
    fk_row,
    ee_x AS ee_x_m, ee_y AS ee_y_m, ee_z AS ee_z_m,
    j0 AS j0_deg, j1 AS j1_deg, j2 AS j2_deg, j3 AS j3_deg, j4 AS j4_deg, j5 AS j5_deg,
    version, line,
    version IN (SELECT version FROM lineage) AS in_current
FROM table_file.fk_point
