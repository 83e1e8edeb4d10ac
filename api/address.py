"""Addresses of services on the network, checked before anything is sent there."""

from urllib.parse import urlsplit

from mnemic.errors import InvalidInput


def checked_address(url: str, field: str, example: str) -> str:
    """Return a web address without a slash at its end; raises ``InvalidInput`` for none, and for one with a key in it."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, a host in half a bracket
        usable = False
    if not usable or not url.isascii() or not url.isprintable() or " " in url:
        raise InvalidInput(field, "is no address of a service", f"write one as {example}")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise InvalidInput(
            field, "holds more than an address", "leave out the key; it has a place of its own"
        )
    return url.rstrip("/")


def checked_key(key: str, field: str) -> str:
    """Return a key that can stand in a header, or raise ``InvalidInput``."""
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise InvalidInput(field, "cannot stand in a header", "pass it as it was given to you")
    return key
