"""What it means: plain Python and NumPy, importable without Prefect."""
