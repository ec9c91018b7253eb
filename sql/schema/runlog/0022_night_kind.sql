-- What was asked for: a whole 'night', or a 'batch', which leaves scans and table alone.
ALTER TABLE night ADD COLUMN kind VARCHAR
