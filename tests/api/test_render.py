from datetime import UTC, datetime

from rich.console import Console, RenderableType

from mnemic import Edge, Explored, Found, Item, Nothing, Path, Suppressed, Thing, Why
from mnemic.api.cli.render import found, graph

MARCH = datetime(2026, 3, 8, 12, tzinfo=UTC)


def text(picture: RenderableType) -> list[str]:
    screen = Console(width=120, markup=False, emoji=False, highlight=False)
    with screen.capture() as captured:
        screen.print(picture)
    return [line.rstrip() for line in captured.get().splitlines()]


def thing(name: str) -> Thing:
    return Thing(id=name, name=name, kind="thing")


def edge(subject: str, predicate: str, other: str) -> Edge:
    return Edge(subject=subject, predicate=predicate, object=other, memory="m", since=MARCH, turns=("t",))


def around(*edges: Edge, truncated: bool = False) -> Explored:
    names = dict.fromkeys(["Maya", *(name for each in edges for name in (each.subject, each.object))])
    return Explored(
        centre=thing("Maya"),
        nodes=tuple(map(thing, names)),
        hops=dict.fromkeys(names, 1),
        edges=edges,
        truncated=truncated,
    )


def test_an_entity_hangs_on_the_one_that_states_a_relation_to_it() -> None:
    drawn = text(
        graph.explored(
            around(
                edge("Maya", "related_to", "Go"),
                edge("Maya", "owner_of", "Tidetable"),
                edge("Tidetable", "written_in", "Go"),
            )
        )
    )
    assert drawn == ["Maya  thing", "└── ─owner of→ Tidetable  thing", "    └── ─written in→ Go  thing"]


def test_a_relation_that_was_said_the_other_way_round_points_there() -> None:
    assert text(graph.explored(around(edge("Pigeon", "owner", "Maya")))) == [
        "Maya  thing",
        "└── ←owner─ Pigeon  thing",
    ]


def test_a_ring_is_drawn_once() -> None:
    ring = around(edge("Maya", "a", "B"), edge("B", "b", "C"), edge("C", "c", "Maya"))
    assert text(graph.explored(ring)) == [
        "Maya  thing",
        "├── ─a→ B  thing",
        "│   └── ─b→ C",
        "└── ←c─ C  thing",
    ]


def test_what_was_cut_off_is_said() -> None:
    assert "--limit" in text(graph.explored(around(edge("Maya", "a", "B"), truncated=True)))[-1]


def test_a_way_is_drawn_in_arrows_with_its_steps() -> None:
    way = Path(
        source=thing("周小满"),
        target=thing("PostgreSQL"),
        names=("周小满", "Lighthouse", "PostgreSQL"),
        steps=(edge("Lighthouse", "owner", "周小满"), edge("Lighthouse", "uses", "PostgreSQL")),
    )
    assert text(graph.path(way))[0] == "周小满 ←owner─ Lighthouse ─uses→ PostgreSQL"


def test_what_is_not_connected_is_said_to_be_so() -> None:
    way = Path(source=thing("A"), target=thing("B"), names=(), steps=())
    assert text(graph.path(way)) == ["A and B are not connected within the hops allowed"]


def answer() -> Found:
    why = Why(channels={"words": 0.5, "graph": 0.0}, seed="words", path=("A", "B"))
    item = Item(
        id="m1", layer="memory", kind="fact", text="B runs", said=None, speaker="ada", since=MARCH, until=None,
        score=0.9, why=why, turns=("t1", "t2"), owner="ada",
    )  # fmt: skip
    kept_back = Suppressed(id="m0", text="A runs", turns=("t0",), reason="replaced", by="m1", score=0.8)
    return Found(query="?", text="", items=(item,), suppressed=(kept_back,), notes=("these disagree",))


def test_an_item_is_shown_with_its_reasons_only_when_asked_why() -> None:
    plain, why = (
        "\n".join(text(found.found(answer(), why=False))),
        "\n".join(text(found.found(answer(), why=True))),
    )
    assert "B runs" in plain
    assert "these disagree" in plain
    assert "A runs" not in plain
    for shown in ("seed words", "scores words 0.50", "way A → B", "from t1, t2", "replaced A runs"):
        assert shown in why
    assert "graph 0.00" not in why


def test_nothing_is_said_with_what_came_near() -> None:
    none = Found(
        query="?", text="", nothing=Nothing(reason="not told", nearest="B runs", score=0.1, floor=0.3)
    )
    assert text(found.found(none, why=False)) == [
        "∅ nothing: not told",
        "  nearest, 0.100 of the 0.300 it takes: B runs",
    ]
