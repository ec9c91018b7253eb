-- One row an attempted merge, as last recorded, blocked ones and dry runs too.
CREATE VIEW merge AS
SELECT
    merge_id,
    arg_max(scan_md5, seq)     AS scan_md5,
    arg_max(scan_file, seq)    AS scan_file,
    arg_max(state, seq)        AS state,
    arg_max(dry_run, seq)      AS dry_run,
    arg_max(promoted, seq)     AS promoted,
    arg_max(version, seq)      AS version,
    arg_max(parent, seq)       AS parent,
    arg_max(rows, seq)         AS rows,
    arg_max(scanned, seq)      AS scanned,
    arg_max(added, seq)        AS added,
    arg_max(duplicates, seq)   AS duplicates,
    arg_max(content_md5, seq)  AS content_md5,
    arg_max(probes, seq)       AS probes,
    arg_max(improved, seq)     AS improved,
    arg_max(worse, seq)        AS worse,
    arg_max(unchanged, seq)    AS unchanged,
    arg_max(started_utc, seq)  AS started_utc,
    arg_max(duration_s, seq)   AS duration_s,
    arg_max(error, seq)        AS error,
    arg_max(task_run_id, seq)  AS task_run_id,
    arg_max(flow_run_id, seq)  AS flow_run_id,
    arg_max(night_id, seq)     AS night_id,
    arg_max(time_utc, seq)     AS time_utc,
    max(seq)                   AS seq,
    arg_max(scan_reading, seq) AS scan_reading,
    arg_max(grounds, seq)      AS grounds
FROM recorded.merge
GROUP BY merge_id
