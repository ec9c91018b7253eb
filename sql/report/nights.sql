-- The nights there are, by local date, the oldest first.
SELECT night_id, local_date, arm
FROM night
ORDER BY started_utc, night_id
