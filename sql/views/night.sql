-- One row a night, as last recorded; a column keeps its value until a later record gives another.
CREATE VIEW night AS
SELECT
    night_id,
    arg_max(arm, seq)          AS arm,
    arg_max(local_date, seq)   AS local_date,
    arg_max(sequence, seq)     AS sequence,
    arg_max(started_utc, seq)  AS started_utc,
    arg_max(ended_utc, seq)    AS ended_utc,
    arg_max(state, seq)        AS state,
    arg_max(error, seq)        AS error,
    arg_max(report_path, seq)  AS report_path,
    arg_max(runs, seq)         AS runs,
    arg_max(kind, seq)         AS kind,
    arg_max(batch_end, seq)    AS batch_end,
    arg_max(time_utc, seq)     AS time_utc,
    max(seq)                   AS seq
FROM recorded.night
GROUP BY night_id
