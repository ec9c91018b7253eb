-- What a version changed for each probe: the row the lookup selects before and after, and how far it is.
CREATE TABLE fk_effect (
  version INTEGER NOT NULL,
  mode VARCHAR NOT NULL,
  target_x_m DOUBLE NOT NULL,
  target_z_m DOUBLE NOT NULL,
  verdict VARCHAR NOT NULL,
  before_fk_row BIGINT,
  before_xz_distance_m DOUBLE,
  before_method VARCHAR NOT NULL,
  after_fk_row BIGINT,
  after_xz_distance_m DOUBLE,
  after_method VARCHAR NOT NULL,
  binding_filter VARCHAR
)
