"""Every statement is a constant: values come as parameters, and every row that it touches is the tenant's."""

import re
from collections.abc import Iterator, Mapping
from itertools import count, product
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemic import ManualClock, Mnemic
from mnemic.graph.model import Layer
from mnemic.graph.neo4j import Neo4jStore
from mnemic.graph.neo4j.queries import reading, recall, records, schema, walking, writing
from mnemic.graph.neo4j.words import mark, write_word
from mnemic.graph.store import Probe
from tests.graph.builders import day, delta, memory, nominated, view
from tests.graph.neo4j.conftest import Open
from tests.servers.shared import Access

NODE = re.compile(r"\((\w*)(?::(\w+))?\s*(\{[^{}]*\})?\)")
PATH = re.compile(rf"{NODE.pattern}(?:<?-\[[^\]]*\]->?{NODE.pattern})*")
CLAUSE = re.compile(r"\b(?:MATCH|MERGE|CREATE|UNWIND|CALL|WITH|RETURN|DELETE|SET)\b")
OWN = ("tenant: $p.tenant", "{name: $p.tenant}")

GLOBAL = {
    *("schema.TENANTS", "records.TENANTS_WITH_OPEN"),
    *("schema.VERSION", "schema.PUT_VERSION", "schema.CONSTRAINTS", "schema.INDEXES"),
    *("schema.VECTOR_INDEXES", "schema.FILTERED_VECTOR_INDEXES"),
    *("schema.NAMELESS_LOG", "schema.UNPACKED", "schema.PACK", "schema.SECOND_VECTORS"),
}
"""Statements about the whole database: its tenants, its schema, and what brings all rows from one version to the next."""

COUNTED = {f"MATCH (n:{label}) RETURN count(n) AS all" for label in ("Memory", "Turn")}
"""What is known of all tenants' rows: how many the index of words holds, by which it rates them."""


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from texts(each)


def statements() -> Iterator[tuple[str, str]]:
    for module in (reading, recall, records, schema, writing):
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
    assert not re.search(
        r"[{<%]\w*[}>]",
        text.replace("<-[", "").replace("]->", "").replace("<>", "").replace("SET r = {}", ""),
    ), "a part was not filled"


def untied(text: str) -> list[str]:
    """Return the paths with a labelled node that neither name the tenant nor begin at a node that is known."""
    for counted in COUNTED:
        text = text.replace(counted, "")
    return [path[0] for path in PATH.finditer(text) if any(map(_label, _nodes(path[0]))) if not _tied(path)]


def _nodes(path: str) -> list[re.Match[str]]:
    return list(NODE.finditer(path))


def _label(node: re.Match[str]) -> str | None:
    return node[2]


def _tied(path: re.Match[str]) -> bool:
    """Tell whether a node of ``path`` has the tenant as a property, in its clause's filter, or was known before."""
    before, clause = path.string[: path.start()], CLAUSE.split(path.string[path.end() :], maxsplit=1)[0]
    return any(
        any(each in (node[3] or "") for each in OWN)
        or bool(node[1] and f"{node[1]}.tenant = $p.tenant" in clause)
        or bool(node[1] and not node[2] and re.search(rf"\({node[1]}:|\bAS {node[1]}\b", before))
        for node in _nodes(path[0])
    )


@pytest.mark.parametrize(("name", "text"), [each for each in STATEMENTS if each[0] not in GLOBAL])
def test_every_row_is_reached_through_its_tenant(name: str, text: str) -> None:
    assert untied(text) == []
    for found in re.finditer(r"YIELD node AS (\w+)", text):
        assert f"{found[1]}.tenant = $p.tenant" in CLAUSE.split(text[found.end() :], maxsplit=1)[0]
    assert set(re.findall(r"\$(\w+)", text)) <= {"p"}


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (r:Memory {id: $p.id}) RETURN r.row",
        "MATCH (:Entity {id: $p.id})<-[:MENTIONS]-(r:Memory) WHERE r.owner IN $p.owners RETURN r.row",
        "MATCH (e)-[:EPISODE]-(o:Entity) RETURN o.row",
        "MATCH (r:Memory) WITH r WHERE r.tenant = $p.tenant RETURN r.row",
        "MATCH (t:Turn {tenant: $p.tenant, id: $p.id}), (m:Memory {id: $p.id}) RETURN m.row",
    ],
)
def test_a_row_that_is_not_is_noticed(text: str) -> None:
    assert untied(text)


@given(terms=st.lists(st.text(), min_size=2, max_size=2, unique=True))
def test_two_terms_never_share_a_word(terms: list[str]) -> None:
    one, other = (write_word(mark("acme", "ada"), term) for term in terms)
    assert one != other


@given(
    term=st.text(max_size=300)
    | st.text(st.characters(categories=["Lo"], min_codepoint=0x10000), min_size=130, max_size=200)
)
def test_a_word_holds_nothing_that_lucene_reads(term: str) -> None:
    word = write_word(mark("acme", "ada"), term)
    assert re.fullmatch(r"[^\W]+", word)
    assert len(word.encode("utf-16-le")) // 2 < 255


LUCENE = (
    *'+-!(){}[]^"~*?:\\/<>=&|',
    *(
        "&&",
        "||",
        "AND",
        "OR",
        "NOT",
        "[a TO z]",
        "words:*",
        "port^4",
        "port~2",
        "p?rt*",
        "\\u0041",
        "/p.*/",
        "端口*",
    ),
)
"""What the parser of the index would read as an operator."""


@pytest.fixture
def both(access: Access) -> Iterator[list[Mnemic]]:
    """A memory on this server and one in a file, which hear the same."""
    told: dict[str, Any] = {"user": "ada", "tenant": f"acme-{uuid4()}", "clock": ManualClock(day(1))}
    told["embedder"] = "none"
    with (
        Mnemic(access.address, credentials=(access.user, access.password), **told) as server,
        Mnemic(":memory:", **told) as file,
    ):
        yield [server, file]


@pytest.fixture
def store(opened: Open) -> Neo4jStore:
    return opened()


fuzzed = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
owners = count()


@fuzzed
@given(
    around=st.tuples(*[st.lists(st.sampled_from(LUCENE), max_size=4).map(" ".join)] * 2),
    asked=st.lists(st.sampled_from(LUCENE), max_size=6).map("".join),
)
def test_what_lucene_reads_is_text_in_what_is_told_and_asked(
    both: list[Mnemic], around: tuple[str, str], asked: str
) -> None:
    (before, behind), session, found = around, str(uuid4()), []
    for each in both:
        each.remember(f"{before} The billing service runs on port 8080. {behind}", session=session)
        for question in (asked or "?", f"{asked} What does the {asked}billing service{asked} run on?"):
            found.append([item.text for item in each.recall(question, depth="deep").items])
    assert found[:2] == found[2:]
    assert any("8080" in text for text in found[1])


@fuzzed
@given(terms=st.lists(st.lists(st.sampled_from(LUCENE), min_size=1).map("".join), max_size=5, unique=True))
def test_a_term_that_lucene_reads_is_found_exactly(store: Neo4jStore, terms: list[str]) -> None:
    owner = f"ada{next(owners)}"
    rows = {f"{owner}-{n}": term for n, term in enumerate(terms)}
    store.apply(delta(*(memory(id, owner=owner, terms=(term,)) for id, term in rows.items())))
    for id, term in rows.items():
        assert nominated(store.gather(view(owner), Probe(terms=(term,))), "words") == {id}


INDEXED = [
    (re.search(r":(\w+)\)", create)[1], frozenset(re.findall(r"\b[nr]\.(\w+)", create)))  # type: ignore[index]
    for create in (*schema.CONSTRAINTS.values(), *schema.INDEXES.values())
    if "FULLTEXT" not in create and "-[r:" not in create
]
"""The labels and properties of the indexes; one of several properties helps only where all are constrained."""


def unindexed(text: str) -> Iterator[str]:
    """Yield each path of a statement of which no node is found by an index, nor was matched before."""
    for clause in re.split(CLAUSE, re.sub(r"\s+", " ", text)):
        for path in PATH.finditer(clause):
            nodes = list(NODE.finditer(path[0]))
            if not any(node[3] and "tenant" in node[3] for node in nodes):
                continue
            if not any(_covered(node, clause) for node in nodes):
                yield path[0]


def _covered(node: re.Match[str], clause: str) -> bool:
    given = set(re.findall(r"(\w+):", node[3] or "")) | set(re.findall(rf"\b{node[1] or '_'}\.(\w+)", clause))
    bound = node[1] and not node[2]
    return bool(bound) or any(node[2] == label and names <= given for label, names in INDEXED)


@pytest.mark.parametrize(("name", "text"), STATEMENTS)
def test_every_row_is_found_by_an_index(name: str, text: str) -> None:
    assert name in GLOBAL or list(unindexed(text)) == []


def test_a_row_that_no_index_finds_is_seen() -> None:
    assert list(unindexed("MATCH (r:Memory {tenant: $p.tenant, subject: $p.subject}) RETURN r"))
    assert list(unindexed("MATCH (r:Turn {tenant: $p.tenant, owner: owner, session: s}) RETURN r"))
    assert not list(unindexed("MATCH (r:Memory {tenant: $p.tenant, id: id})<-[:FROM]-(t:Turn) RETURN t"))
