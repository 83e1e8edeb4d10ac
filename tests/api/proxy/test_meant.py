"""The proxy that the environment describes."""

import pytest
from pydantic import SecretStr

from mnemic import InvalidInput
from mnemic.api.proxy.upstream import Upstream
from mnemic.api.rest.serving import proxies_meant
from mnemic.api.settings import UpstreamEnvironment, upstream_environment


def test_without_an_upstream_there_is_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_UPSTREAM_URL", "")
    assert proxies_meant(upstream_environment()) == []


def test_an_upstream_of_the_environment_is_forwarded_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_UPSTREAM_URL", "http://localhost:11434/v1")
    monkeypatch.setenv("MNEMIC_UPSTREAM_KEY", "sesame")
    told = upstream_environment()
    assert "sesame" not in repr(told)
    (router,) = proxies_meant(told)
    assert "/v1/chat/completions" in {getattr(route, "path", "") for route in router.routes}


@pytest.mark.parametrize(
    ("name", "value"), [("TIMEOUT", "soon"), ("BUDGET", "0"), ("STRICT", "perhaps"), ("SECONDS", "-1")]
)
def test_a_variable_that_cannot_be_used_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"MNEMIC_UPSTREAM_{name}", value)
    with pytest.raises(InvalidInput, match=f"MNEMIC_UPSTREAM_{name}"):
        upstream_environment()


@pytest.mark.parametrize(
    "told",
    [
        *({"url": url} for url in ("host", "http://a:b@host/v1", "http://host/v1?key=x", "ftp://host")),
        *({"url": "http://host/v1", "key": SecretStr(key)} for key in ("a b", "ключ")),
    ],
)
def test_an_address_or_a_key_that_cannot_be_used_is_refused(told: dict[str, object]) -> None:
    with pytest.raises(InvalidInput, match="upstream"):
        proxies_meant(UpstreamEnvironment(**told))  # type: ignore[arg-type]


def test_the_key_stands_in_no_repr() -> None:
    assert repr(Upstream("http://host/v1/chat/completions", key="sesame")) == "Upstream('http://host/v1')"
