-- Which reading of its scan a version holds: a raw file can be read again with other units or columns.
ALTER TABLE fk_version ADD COLUMN scan_reading INTEGER DEFAULT 1
