-- One line a merge: what it was built on, what it added, and the proof of what the table then was. The rows of
-- a version are those it and its ancestors added; in an unbroken history these are rows 0 .. rows-1.
CREATE TABLE fk_version (
  version INTEGER PRIMARY KEY,
  parent INTEGER,
  rows BIGINT NOT NULL,
  first_row BIGINT NOT NULL,
  scanned BIGINT NOT NULL,
  added BIGINT NOT NULL,
  duplicates BIGINT NOT NULL,
  scan_md5 VARCHAR NOT NULL,
  scan_file VARCHAR NOT NULL,
  angle_unit VARCHAR NOT NULL,
  length_unit VARCHAR NOT NULL,
  content_md5 VARCHAR NOT NULL,
  block_digests BLOB NOT NULL,
  created_at TIMESTAMPTZ NOT NULL,
  robot VARCHAR,
  robot_md5 VARCHAR,
  fit_rows BIGINT,
  fit_tip_x_m DOUBLE,
  fit_tip_y_m DOUBLE,
  fit_tip_z_m DOUBLE,
  fit_sum_squares_m2 DOUBLE,
  fit_worst_m DOUBLE,
  fit_axes VARCHAR
)
