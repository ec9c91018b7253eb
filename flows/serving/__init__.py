"""The Prefect server, its worker and what they need, run as child processes of this machine."""
