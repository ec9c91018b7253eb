-- What each audit said before a version was published; `accepted_because` where a person let it pass.
CREATE TABLE fk_audit (
  version INTEGER NOT NULL,
  name VARCHAR NOT NULL,
  ok BOOLEAN,
  message VARCHAR NOT NULL,
  figures JSON NOT NULL,
  findings JSON NOT NULL,
  accepted_because VARCHAR
)
