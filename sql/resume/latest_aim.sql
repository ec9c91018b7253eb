-- The aim of the latest placement: its run, x and z in metres.
SELECT run_stem, aim_x_m, aim_z_m
FROM place
WHERE aim_x_m IS NOT NULL AND aim_z_m IS NOT NULL
ORDER BY seq DESC
LIMIT 1
