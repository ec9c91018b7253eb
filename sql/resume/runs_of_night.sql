-- The pick-place runs of one night, in order, and how each stands.
SELECT run_stem, run_number, state
FROM run
WHERE night_id = $night_id
ORDER BY run_number, run_stem
