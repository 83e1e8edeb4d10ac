"""Taking out of a memory what is going: the same in every store."""

from collections.abc import Container
from dataclasses import replace

from mnemic.graph.model import Memory


def without(memory: Memory, turns: Container[str], entities: Container[str]) -> Memory:
    """Return ``memory`` without its edges to these ``turns`` and ``entities``."""
    return replace(
        memory,
        sources=tuple(turn for turn in memory.sources if turn not in turns),
        mentions=tuple(mention for mention in memory.mentions if mention.entity not in entities),
        episodes=tuple(
            episode
            for episode in memory.episodes
            if episode.subject not in entities and episode.object not in entities
        ),
    )
