"""Lines of JSON out of an answer that comes piece by piece."""

from collections.abc import Iterator


class Lines:
    r"""Cuts pieces at their line feeds, and nowhere else: JSON may hold other line ends as they are.

    >>> lines = Lines()
    >>> [*lines.add(b'{"a": 1}\n{"b"'), *lines.add(b': 2}\n')]
    [b'{"a": 1}', b'{"b": 2}']
    """

    def __init__(self) -> None:
        self._begun = bytearray()

    def add(self, piece: bytes) -> Iterator[bytes]:
        """Yield the lines that are whole with this piece."""
        *whole, rest = piece.split(b"\n")
        for line in whole:
            yield bytes(self._begun + line)
            self._begun.clear()
        self._begun += rest
