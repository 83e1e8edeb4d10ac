"""Embedders: text in, unit vectors out. One file per embedder; ``registry`` is where they are named."""
