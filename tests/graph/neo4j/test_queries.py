"""Every statement is a constant: values come as parameters, and every row that it touches is the tenant's."""

import re
from collections.abc import Iterator, Mapping
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.graph.model import Layer
from mnemic.graph.neo4j.queries import reading, recall, schema, walking, writing
from mnemic.graph.neo4j.words import mark, write_word

LABELLED = re.compile(r"\(\w*:(\w+)([^)]*)\)")
GLOBAL = {"VERSION", "PUT_VERSION", "CONSTRAINTS", "INDEXES", "VECTOR_INDEXES", "FILTERED_VECTOR_INDEXES"}
GLOBAL |= {"NAMELESS_LOG", "UNPACKED", "PACK", "SECOND_VECTORS", "SECOND_INDEXES"}


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from texts(each)


def statements() -> Iterator[tuple[str, str]]:
    for module in (reading, recall, schema, writing):
        for name, value in vars(module).items():
            if name.isupper() and not name.startswith("_") and name not in ("LABEL", "TIME"):
                yield from ((f"{module.__name__.rpartition('.')[2]}.{name}", text) for text in texts(value))
    for hops in range(4):
        yield f"walk {hops}", walking.walk(hops)
    for layer, search, walked in product(Layer, recall.Search, (None, 0, 2)):
        yield f"gathering {layer} {search} {walked}", recall.gathering(layer, search, walked)


STATEMENTS = [each for each in statements() if re.search(r"MATCH|MERGE|CALL|CREATE", each[1])]


@pytest.mark.parametrize(("name", "text"), STATEMENTS)
def test_nothing_but_names_of_this_package_is_quoted(name: str, text: str) -> None:
    quoted = set(re.findall(r"'([^']*)'", text))
    known = {
        "",
        " ",
        "^",
        "graph",
        "name",
        "whitespace",
        "cosine",
        "neighbour",
        "words",
        "vector",
        "time",
        "entities",
        "salient",
    }
    assert all(each in known or each.startswith("mnemic_") or each == "embedding" for each in quoted), quoted
    assert '"' not in text
    assert not re.search(r"[{<%]\w*[}>]", text.replace("<-[", "").replace("]->", "").replace("<>", "")), (
        "a part was not filled"
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        each
        for each in STATEMENTS
        if each[0].rpartition(".")[2] not in GLOBAL and "CREATE INDEX" not in each[1]
    ],
)
def test_every_row_is_reached_through_its_tenant(name: str, text: str) -> None:
    for label in ("Memory", "Turn", "Entity", "Owner", "Name", "Handle", "Session", "Change"):
        if f":{label}" in text:
            assert "$p.tenant" in text
    assert set(re.findall(r"\$(\w+)", text)) <= {"p"}


@given(terms=st.lists(st.text(), min_size=2, max_size=2, unique=True))
def test_two_terms_never_share_a_word(terms: list[str]) -> None:
    one, other = (write_word(mark("acme", "ada"), term) for term in terms)
    assert one != other


@given(term=st.text(max_size=300))
def test_a_word_holds_nothing_that_lucene_reads(term: str) -> None:
    word = write_word(mark("acme", "ada"), term)
    assert re.fullmatch(r"[^\W]+", word)
    assert len(word) < 255
