"""An embedder without a model, for tests and examples: equal words are near, and nothing else is."""

import hashlib
import re
from collections.abc import Sequence

import numpy as np

from mnemic.extraction.embedders.base import Vectors, unit
from mnemic.extraction.text import fold

_WORD = re.compile(r"[^\W\u3400-\u9fff]+|[\u3400-\u9fff]")


class FixedEmbedder:
    """Each word (each Chinese character) gives a fixed vector, a text the direction of their sum.

    >>> one, two, other = FixedEmbedder().passages(["red tea", "green tea", "an old car"])
    >>> bool(one @ two > one @ other)
    True
    """

    name = "fixed"

    def __init__(self, dimension: int = 64) -> None:
        self.dimension = dimension

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text; a text without words gives the first axis."""
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in _WORD.findall(fold(text)):
                row += self._word(word)
        rows[~rows.any(axis=1), 0] = 1
        return unit(rows)

    def query(self, text: str) -> Vectors:
        """Return the same vector as for a passage."""
        return np.asarray(self.passages([text])[0], dtype=np.float32)

    def _word(self, word: str) -> Vectors:
        """Return a vector of signs that depends on the word alone."""
        bits = hashlib.shake_128(word.encode("utf-8", "surrogatepass")).digest(-(-self.dimension // 8))
        signs = np.unpackbits(np.frombuffer(bits, dtype=np.uint8))[: self.dimension]
        return signs.astype(np.float32) * 2 - 1
