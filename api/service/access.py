"""Who calls, and what they may do: a key's tenant, user and rights, and the right that each call needs."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from mnemic.errors import Forbidden, InvalidInput, UnknownName
from mnemic.graph.view import Scope


class Right(StrEnum):
    """What a key may do: ask, tell and remove one's own, look after the tenant."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


NEEDED = {
    **dict.fromkeys(
        (
            *(
                "recall",
                "why",
                "prepare",
                "about",
                "explore",
                "path",
                "history",
                "tasks",
                "resolve",
                "analyse",
                "doomed",
            ),
            *(
                "names",
                "proposals",
                "taught",
                "export",
                "memories",
                "memory",
                "turns",
                "turn",
                "entities",
                "job",
                "jobs",
            ),
        ),
        Right.READ,
    ),
    **dict.fromkeys(
        (
            "remember",
            "edit",
            "forget",
            "erase",
            "retry",
            "discard",
            "unreplace",
            "reread",
            "accept",
            "reject",
        ),
        Right.WRITE,
    ),
    **dict.fromkeys(("learn", "unlearn", "stats"), Right.ADMIN),
}
"""The right that each method of ``Mnemic`` needs; the dictionary and the counts are those of the whole tenant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """The holder of a key: of which tenant, whose memory (None: whom each call names), what it may do."""

    tenant: str
    user: str | None
    rights: frozenset[Right]
    key: str = ""

    def scope(self, user: str | None = None, session: str | None = None) -> Scope:
        """Return the scope of a call that names ``user``, or raise ``Forbidden`` where that is another one.

        Raises ``InvalidInput`` where the key is nobody's and the call names nobody.
        """
        if self.user is not None and user not in (None, self.user):
            raise Forbidden("this key belongs to another user than Mnemic-User names; leave the header out")
        if (whose := self.user or user) is None:
            raise InvalidInput(
                "Mnemic-User", "is missing", "this key serves many users: name one in that header"
            )
        return Scope(tenant=self.tenant, user=whose, session=session)

    def require(self, right: Right) -> None:
        """Raise ``Forbidden`` where the key does not have ``right``."""
        if right not in self.rights:
            has = ", ".join(sorted(self.rights)) or "nothing"
            raise Forbidden(f"this needs the right {right.value!r}, and the key has {has}")


def rights(names: Iterable[str]) -> frozenset[Right]:
    """Return the rights of these names; to write is to read, to administer is both.

    Raises ``UnknownName`` for one that there is not, ``InvalidInput`` for none.
    """
    known = [right.value for right in Right]
    given = list(names)
    for name in given:
        if name not in known:
            raise UnknownName("rights", name, known)
    if not given:
        raise InvalidInput("rights", "are missing", f"name some of {', '.join(known)}")
    highest = max(map(known.index, given))
    return frozenset(Right(name) for name in known[: highest + 1])
