-- Which tasks take longest: how often each ran, how long on average and at worst, and when that was?
SELECT
    task,
    count(*)                                          AS runs,
    round(avg(duration_s), 3)                         AS mean_s,
    round(quantile_cont(duration_s, 0.95), 3)         AS p95_s,
    round(max(duration_s), 3)                         AS longest_s,
    arg_max(started_utc, duration_s)                  AS longest_started_utc,
    arg_max(night_id, duration_s)                     AS longest_night_id,
    count(*) FILTER (state = 'failed')                AS failed
FROM task_run
WHERE duration_s IS NOT NULL
GROUP BY task
ORDER BY longest_s DESC, task
