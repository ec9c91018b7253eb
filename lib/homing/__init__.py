"""Homing: where the arm really is, from photos by fixed cameras, and how sure that is."""
