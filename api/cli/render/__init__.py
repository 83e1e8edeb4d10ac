"""Pictures of results for people at a terminal."""
