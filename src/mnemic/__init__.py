"""mnemic."""
