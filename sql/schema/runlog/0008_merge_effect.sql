-- What one merge attempt changes for one probe: the row selected before and after, by the same arguments.
CREATE TABLE merge_effect (
    time_utc              TIMESTAMPTZ,
    seq                   BIGINT,
    merge_id              VARCHAR,
    mode                  VARCHAR,
    target_x_m            DOUBLE,
    target_z_m            DOUBLE,
    verdict               VARCHAR,
    before_fk_row         BIGINT,
    before_xz_distance_m  DOUBLE,
    before_method         VARCHAR,
    after_fk_row          BIGINT,
    after_xz_distance_m   DOUBLE,
    after_method          VARCHAR,
    binding_filter        VARCHAR
);
