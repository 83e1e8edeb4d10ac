"""Ids made from what a thing is: the same input gives the same id, in every process and every store."""

import hashlib
from collections.abc import Iterable
from urllib.parse import quote


def digest(*parts: str) -> str:
    """Return 20 hexadecimal characters (80 bits) that stand for ``parts`` in this order."""
    joined = "\x1f".join(part.replace("\x1f", " ") for part in parts)
    return hashlib.blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()


def entity_key(kind: str, handle: str) -> str:
    """Return the key that bridges the owners' views of one entity; ``handle`` is its folded name."""
    return f"{kind}:{handle}"


def canonical(key: str) -> str:
    """Return the folded canonical name in the key of an entity."""
    return key.partition(":")[2]


def entity_id(owner: str, key: str) -> str:
    """Return the id of an owner's view of the entity ``key``."""
    return "e" + digest("entity", owner, key)


def turn_key(owner: str, teller: str, told: str) -> str:
    """Return the key of a turn that its teller calls ``told``: two tellers may use one name for two turns."""
    return f"{quote(owner, safe='')}/{quote(teller, safe='')}/{told}"


def told_id(key: str) -> str:
    """Return the name under which the turn ``key`` was told."""
    return key.split("/", 2)[2]


def told_ids(keys: Iterable[str]) -> tuple[str, ...]:
    """Return the names of several turns, in order."""
    return tuple(told_id(key) for key in keys)


def turn_id(owner: str, session: str, speaker: str, at: str, text: str, occurrence: int = 0) -> str:
    """Return the id of a turn that came without one; ``occurrence`` counts equal turns of one call."""
    return "t" + digest("turn", owner, session, speaker, at, text, str(occurrence))


def memory_id(owner: str, turn: str, number: int) -> str:
    """Return the id of the ``number``-th memory of a turn."""
    return "m" + digest("memory", owner, turn, str(number))
