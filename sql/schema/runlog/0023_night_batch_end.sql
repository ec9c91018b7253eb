-- Why the batch of a night ended before its last run; NULL where it did not.
ALTER TABLE night ADD COLUMN batch_end VARCHAR
