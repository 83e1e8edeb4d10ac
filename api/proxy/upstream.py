"""The service behind the proxy: any that speaks as OpenAI's chat completions do."""

from collections.abc import Iterable, Mapping

import httpx

from mnemic.api.address import checked_address, checked_key
from mnemic.errors import InvalidInput, ServiceError

_SENT = ("accept", "content-type", "user-agent", "traceparent", "tracestate")
_GIVEN = ("content-type", "retry-after", "cache-control")
_OURS = ("openai-", "x-stainless-", "x-ratelimit-")
"""Headers that pass through: by name to the upstream, by name from it, and by their beginning both ways."""

_CONNECT = 10.0


class Upstream:
    """Where chats are forwarded to.

    Args:
        url: up to the version, such as ``http://localhost:11434/v1``.
        key: sent as a bearer token, if given; the key of who calls stays here.
        timeout: seconds that an answer may take to begin, and to go on.

    Raises:
        InvalidInput: an argument cannot be used; the message names it.

    """

    def __init__(self, url: str, *, key: str | None = None, timeout: float = 600.0) -> None:
        if not 0 < timeout <= 3_600:
            raise InvalidInput("upstream timeout", f"is {timeout!r}", "choose seconds from above 0 to 3600")
        self.url = checked_address(url, "upstream url", "http://localhost:11434/v1").removesuffix(
            "/chat/completions"
        )
        self._key = checked_key(key, "upstream key") if key is not None else None
        bounds = httpx.Limits(max_connections=1_000, max_keepalive_connections=100, keepalive_expiry=3.0)
        self._http = httpx.AsyncClient(
            timeout=httpx.Timeout(timeout, connect=_CONNECT), limits=bounds, trust_env=False
        )

    def __repr__(self) -> str:
        """Name the upstream, without its key."""
        return f"Upstream({self.url!r})"

    async def send(
        self,
        method: str,
        path: str,
        headers: Iterable[tuple[str, str]],
        content: bytes = b"",
        query: str = "",
    ) -> httpx.Response:
        """Send a request on and return the answer, whose body is yet to be read and which is to be closed.

        Raises ``Unreachable`` where there is no answer.
        """
        own = {"Accept-Encoding": "identity"} | (
            {"Authorization": f"Bearer {self._key}"} if self._key else {}
        )
        passed = [(name, value) for name, value in headers if _passes(name, _SENT)]
        request = self._http.build_request(
            method,
            f"{self.url}{path}{'?' * bool(query)}{query}",
            headers=[*passed, *own.items()],
            content=content,
        )
        try:
            return await self._http.send(request, stream=True)
        except httpx.TimeoutException as error:
            raise Unreachable("the upstream did not answer in time", 504) from error
        except httpx.RequestError as error:
            raise Unreachable(f"the upstream cannot be reached ({type(error).__name__})", 502) from error

    async def close(self) -> None:
        """Release the connections."""
        await self._http.aclose()


class Unreachable(ServiceError):
    """The upstream gives no answer; ``status`` is that of the answer that says so."""

    def __init__(self, what: str, status: int) -> None:
        self.status = status
        super().__init__(f"{what}; ask again, or check MNEMIC_UPSTREAM_URL")


def given_back(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers of an upstream's answer that pass through."""
    return {name: value for name, value in headers.items() if _passes(name, _GIVEN)}


def _passes(name: str, names: tuple[str, ...]) -> bool:
    return name.lower() in names or name.lower().startswith(_OURS)
