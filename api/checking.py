"""One thing that ``mnemic doctor`` looks at."""

from collections.abc import Callable
from typing import Literal

from mnemic.engine.results import Result
from mnemic.errors import EmbedderError, MnemicError, ModelError


class Check(Result):
    """One thing looked at: ``good``, a ``warning`` (it works with less), or ``bad``."""

    name: str
    status: Literal["good", "warning", "bad"]
    detail: str


class Lack(Exception):
    """What a check found is no error, and yet less than one may want; its words tell what to do."""


def tried(name: str, check: Callable[[], str]) -> Check:
    """Run a check that returns what it found, and turn an error of mnemic into its finding."""
    try:
        return Check(name=name, status="good", detail=check())
    except (EmbedderError, ModelError, Lack) as error:
        return Check(name=name, status="warning", detail=str(error))
    except MnemicError as error:
        return Check(name=name, status="bad", detail=str(error))
