-- The homings of one night, the last one last.
SELECT homing_id, state, method, residual_px, cameras, markers, rejected, warnings, error, started_utc, duration_s
FROM homing
WHERE night_id = $night_id OR homing_id = $homing_id
ORDER BY started_utc
