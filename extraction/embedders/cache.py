"""Vectors are remembered: a passage comes again with every retry, merge and re-reading, a question with its asker."""

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np

from mnemic.extraction.embedders.base import Embedder, Vectors

SIZE = 2048
"""Passages and questions that are remembered: about 3 MB at 384 dimensions."""


class CachedEmbedder:
    """Another embedder with a memory for its latest passages and questions, shared by threads.

    It holds digests and vectors, no texts: what was erased does not live on here.
    """

    def __init__(self, embedder: Embedder, size: int = SIZE) -> None:
        self._embedder = embedder
        self._size = size
        self._vectors: OrderedDict[bytes, Vectors] = OrderedDict()
        self._lock = Lock()

    @property
    def name(self) -> str:
        """The name of the embedder behind."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """The dimension of the embedder behind."""
        return self._embedder.dimension

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text; only texts not seen lately are embedded, each once."""
        keys = [_digest(text) for text in texts]
        known = self._recall(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            fresh = dict(zip(missing, self._embedder.passages(list(missing.values())), strict=True))
            self._keep(fresh)
            known |= fresh
        rows = np.empty((len(keys), self.dimension), dtype=np.float32)
        for row, key in zip(rows, keys, strict=True):
            row[:] = known[key]
        return rows

    def query(self, text: str) -> Vectors:
        """Return the vector of a question; only one not asked lately is embedded."""
        key = _digest(text, b"query")
        known = self._recall([key])
        if key not in known:
            known = {key: self._embedder.query(text)}
            self._keep(known)
        return known[key].copy()

    def _recall(self, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        with self._lock:
            known = {key: self._vectors[key] for key in keys if key in self._vectors}
            for key in known:
                self._vectors.move_to_end(key)
        return known

    def _keep(self, fresh: dict[bytes, Vectors]) -> None:
        with self._lock:
            for key, vector in fresh.items():
                self._vectors[key] = vector.copy()
                self._vectors.move_to_end(key)
            while len(self._vectors) > self._size:
                self._vectors.popitem(last=False)


def _digest(text: str, kind: bytes = b"passage") -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16, person=kind).digest()
