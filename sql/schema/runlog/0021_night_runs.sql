-- How many pick-place runs were asked of a night: one that was killed goes on to that number.
ALTER TABLE night ADD COLUMN runs INTEGER
