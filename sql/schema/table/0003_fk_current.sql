-- The version in use: one row, moved by a merge and by a rollback.
CREATE TABLE fk_current (version INTEGER)
