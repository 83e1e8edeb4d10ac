"""Who looks after all tenants of a place: which there are, and in which something waits to be taken."""

from abc import ABC, abstractmethod
from typing import Self


class Lookout(ABC):
    """**Contract:** sees the tenants of one place without opening their stores. Safe to share between threads."""

    @abstractmethod
    def tenants(self) -> list[str]:
        """Return the tenants that have a store there, sorted."""

    @abstractmethod
    def stirred(self, kind: str) -> list[str]:
        """Return the tenants in which a record of ``kind`` may be open, sorted; at least those in which one is."""

    @abstractmethod
    def mark(self, tenant: str) -> object:
        """Return what tells the tenant's state now from any later one, to be handed to :meth:`settle`."""

    @abstractmethod
    def settle(self, tenant: str, mark: object) -> None:
        """Learn that nothing was open in the tenant after ``mark`` was made; until it changes it has not stirred."""

    @abstractmethod
    def close(self) -> None:
        """Release everything; a second call does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
