"""dictionaries."""
