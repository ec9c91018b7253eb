-- A night: recorded when it starts, when its state changes and when it ends.
--
-- A scheduled night is one arm and one local start date, sequence 0; nights started by hand count
-- from 1. state is 'unfinished' until the end says otherwise.
CREATE TABLE night (
    time_utc     TIMESTAMPTZ,
    seq          BIGINT,
    night_id     VARCHAR,
    arm          VARCHAR,
    local_date   DATE,
    sequence     INTEGER,
    started_utc  TIMESTAMPTZ,
    ended_utc    TIMESTAMPTZ,
    state        VARCHAR,
    error        VARCHAR,
    report_path  VARCHAR
);
