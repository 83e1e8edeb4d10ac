"""A language model behind any endpoint that speaks as OpenAI's chat completions do: local or not.

Nothing of an answer is believed before it fits its schema. Bounded are time, size and, by the breaker, how often
a dead endpoint is asked. The key stands in no error and no ``repr``.
"""

import json
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel, ValidationError

from mnemic.errors import InvalidInput, ModelError, UnknownName
from mnemic.extraction.llm.base import EXTRACT, JUDGE, STAGES, SUMMARISE, Extraction, Judgement, Summary
from mnemic.extraction.llm.breaker import Breaker
from mnemic.extraction.llm.prompts import shipped_prompts

A = TypeVar("A", bound=BaseModel)

LONGEST = 262_144
"""So many bytes an answer may have."""

TOKENS = 800
"""So many tokens the model may answer with."""


class Endpoint:
    """A :class:`LanguageModel` over HTTP.

    Args:
        url: up to the version, such as ``http://localhost:11434/v1``.
        name: the model's name there.
        key: sent as a bearer token, if given.
        stages: what it is to be asked; all three unless named.
        timeout: seconds that one call may take; a server that sends drop by drop is left after twice as many.
        rest: seconds for which it is left alone after three failures running.
        ticks: tells seconds from any beginning.

    Raises:
        InvalidInput: an argument cannot be used; the message names it.

    """

    def __init__(
        self,
        url: str,
        *,
        name: str,
        key: str | None = None,
        stages: Iterable[str] = STAGES,
        timeout: float = 5.0,
        rest: float = 60.0,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self.url, self.name, self.stages = _checked_url(url), name, _checked_stages(stages)
        if not name.strip():
            raise InvalidInput("model name", "is empty", "name the model as the endpoint does")
        if key is not None and not (key and key.isascii() and key.isprintable()):
            raise InvalidInput("model key", "cannot stand in a header", "pass it as the provider gave it")
        if not 0 < timeout <= 600:
            raise InvalidInput("model timeout", f"is {timeout}", "choose seconds from above 0 to 600")
        self.timeout, self._ticks = timeout, ticks
        self._breaker = Breaker(rest, ticks)
        headers = {"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {key}"} if key else {})
        self._client = httpx.Client(headers=headers, follow_redirects=False, trust_env=False)

    def __repr__(self) -> str:
        """Name the endpoint, without its key."""
        return f"Endpoint({self.url!r}, name={self.name!r}, stages={sorted(self.stages)})"

    def extract(self, text: str, *, within: float) -> Extraction:
        """Return what a message states."""
        return self._ask(EXTRACT, {"message": text}, Extraction, within)

    def judge(self, older: str, newer: str, *, within: float) -> Judgement:
        """Return whether the newer statement overrules the older one."""
        return self._ask(JUDGE, {"older": older, "newer": newer}, Judgement, within)

    def summarise(self, text: str, *, within: float) -> Summary:
        """Return a text in one short sentence."""
        return self._ask(SUMMARISE, {"statement": text}, Summary, within)

    def close(self) -> None:
        """Release the connections."""
        self._client.close()

    def _ask(self, stage: str, texts: Mapping[str, str], form: type[A], within: float) -> A:
        """Ask once and return the checked answer."""
        resting = self._breaker.resting()
        if resting:
            raise ModelError(f"it failed several times running and is left alone for {resting:.0f} s more")
        try:
            answer = form.model_validate_json(
                self._said(self._body(stage, texts, form), min(within, self.timeout))
            )
        except (ModelError, ValidationError, RecursionError) as error:
            self._breaker.went(well=False)
            if isinstance(error, ModelError):
                raise
            raise ModelError(f"its answer to {stage} does not fit the schema") from error
        self._breaker.went(well=True)
        return answer

    def _body(self, stage: str, texts: Mapping[str, str], form: type[BaseModel]) -> dict[str, Any]:
        schema = {"name": stage, "schema": form.model_json_schema(), "strict": True}
        return {
            "model": self.name,
            "messages": [
                {"role": "system", "content": shipped_prompts()[stage]},
                {"role": "user", "content": json.dumps(texts, ensure_ascii=False)},
            ],
            "temperature": 0,
            "max_tokens": TOKENS,
            "response_format": {"type": "json_schema", "json_schema": schema},
        }

    def _said(self, body: Mapping[str, Any], seconds: float) -> str:
        """Return what the model said, as it stands in the answer."""
        try:
            whole = json.loads(self._received(body, seconds))
            said = whole["choices"][0]["message"]["content"]
        except (ValueError, RecursionError, LookupError, TypeError) as error:
            raise ModelError("it did not answer as chat completions do") from error
        if not isinstance(said, str):
            raise ModelError("it answered without words")
        return said.strip().removeprefix("```json").removeprefix("```").removesuffix("```")

    def _received(self, body: Mapping[str, Any], seconds: float) -> bytes:
        """Return the bytes of an answer that came in time, well and not too long."""
        until, got = self._ticks() + seconds, bytearray()
        try:
            with self._client.stream(
                "POST", f"{self.url}/chat/completions", json=body, timeout=httpx.Timeout(seconds)
            ) as response:
                if response.status_code != httpx.codes.OK:
                    raise ModelError(f"it answered with status {response.status_code}")
                for part in response.iter_raw():
                    got += part
                    if len(got) > LONGEST:
                        raise ModelError(f"its answer is longer than {LONGEST:,} bytes")
                    if self._ticks() > until:
                        raise ModelError(f"it was not done within {seconds:.1f} s")
        except httpx.TimeoutException as error:
            raise ModelError(f"it did not answer within {seconds:.1f} s") from error
        except httpx.HTTPError as error:
            raise ModelError(f"it cannot be reached or broke off ({type(error).__name__})") from error
        return bytes(got)


def _checked_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or not url.isascii():
        raise InvalidInput("model url", "is no address of an endpoint", "write http://localhost:11434/v1")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise InvalidInput(
            "model url", "holds more than an address", "leave out the key; it has a place of its own"
        )
    return url.rstrip("/").removesuffix("/chat/completions")


def _checked_stages(stages: Iterable[str]) -> frozenset[str]:
    chosen = frozenset(stages)
    for stage in sorted(chosen - set(STAGES)):
        raise UnknownName("model stages", stage, STAGES)
    return chosen
