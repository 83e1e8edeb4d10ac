"""Quality and speed, each a command that prints a table: ``python -m benchmarks.NAME``."""
