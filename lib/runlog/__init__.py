"""What happened and how to ask: the run log, the table file read without locks, named questions."""
