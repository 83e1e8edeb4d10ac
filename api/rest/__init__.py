"""The HTTP door: every method of ``Mnemic`` as a call, and what it holds as resources."""
