"""One side effect each, as a Prefect task."""
