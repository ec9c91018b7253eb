-- How many probes the merges published in a night left worse.
SELECT coalesce(sum(worse), 0)
FROM merge
WHERE night_id = $night_id AND state = 'published' AND NOT coalesce(dry_run, false)
