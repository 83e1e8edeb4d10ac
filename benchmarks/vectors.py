"""Vectors that are computed once: an embedder that keeps what it made, in a run or in a file between runs."""

import sqlite3
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np

from mnemic.extraction.embedders.base import Embedder, Vectors


class KeptVectors:
    """Stands in for ``embedder`` and asks it only for texts that it has not seen.

    ``path`` names a SQLite file that is made where it is missing; None keeps them for this run alone.
    """

    def __init__(self, embedder: Embedder, path: Path | None = None) -> None:
        self._embedder = embedder
        self._file = sqlite3.connect(path or ":memory:", check_same_thread=False)
        self._file.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB)")

    @property
    def name(self) -> str:
        """The name of the embedder that it stands for."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return self._embedder.dimension

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts to be found."""
        keys = [self._key("passage", text) for text in texts]
        missing = [text for key, text in zip(keys, texts, strict=True) if self._read(key) is None]
        if missing:
            for text, vector in zip(missing, self._embedder.passages(missing), strict=True):
                self._keep(self._key("passage", text), vector)
        rows = [self._read(key) for key in keys]
        return np.array(rows, dtype=np.float32).reshape(len(texts), self.dimension)

    def query(self, text: str) -> Vectors:
        """Return the vector of a text to search with."""
        key = self._key("query", text)
        vector = self._read(key)
        if vector is None:
            vector = self._embedder.query(text)
            self._keep(key, vector)
        return vector

    def _key(self, kind: str, text: str) -> bytes:
        return blake2b(f"{self.name}\0{kind}\0{text}".encode(), digest_size=16).digest()

    def _read(self, key: bytes) -> Vectors | None:
        row = self._file.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
        return np.frombuffer(row[0], dtype=np.float32) if row else None

    def _keep(self, key: bytes, vector: Vectors) -> None:
        with self._file:
            self._file.execute("INSERT OR REPLACE INTO vectors VALUES (?, ?)", (key, vector.tobytes()))
