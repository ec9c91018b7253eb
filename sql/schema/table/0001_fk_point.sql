-- The measured poses, append-only: a row keeps its number and its values for ever. Twin axes, metres and
-- degrees exactly as the scan told them; `version` is the one that added the row, `line` its line in that scan.
CREATE TABLE fk_point (
  fk_row BIGINT NOT NULL,
  ee_x DOUBLE NOT NULL,
  ee_y DOUBLE NOT NULL,
  ee_z DOUBLE NOT NULL,
  j0 DOUBLE NOT NULL,
  j1 DOUBLE NOT NULL,
  j2 DOUBLE NOT NULL,
  j3 DOUBLE NOT NULL,
  j4 DOUBLE NOT NULL,
  j5 DOUBLE NOT NULL,
  version INTEGER NOT NULL,
  line INTEGER NOT NULL
)
