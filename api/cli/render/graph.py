"""Pictures of the graph: the surroundings of an entity as a tree, a way as arrows."""

from heapq import heappop, heappush
from itertools import count

from rich.console import RenderableType
from rich.text import Text
from rich.tree import Tree

from mnemic.api.cli.render.words import NAME, QUIET, RELATION, WARNING, day, joined, relation, stack
from mnemic.engine.draft import RELATED
from mnemic.engine.results import Edge, Explored, Path


def explored(around: Explored) -> RenderableType:
    """Show a subgraph as a tree from its centre, along stated relations wherever there are any."""
    cut = Text("more lies beyond the limit; raise --limit to see it", WARNING) if around.truncated else None
    return stack(_tree(around), cut)


def _tree(around: Explored) -> Tree:
    """Hang each entity on what states a relation to it; a further relation between two of them is a leaf."""
    kinds = {node.name: node.kind for node in around.nodes}
    edges = {(edge.subject, edge.predicate, edge.object): edge for edge in around.edges}
    root = Tree(_node(around.centre.name, around.centre.kind))
    hung = {around.centre.name}
    waiting: list[tuple[bool, int, int, str, Edge, Tree]] = []
    number = count()

    def unfold(name: str, depth: int, branch: Tree) -> None:
        for triple, edge in list(edges.items()):
            if name in (edge.subject, edge.object):
                del edges[triple]
                heappush(waiting, (edge.predicate == RELATED, depth, next(number), name, edge, branch))

    unfold(around.centre.name, 0, root)
    while waiting:
        _, depth, _, name, edge, above = heappop(waiting)
        other = edge.object if edge.subject == name else edge.subject
        if other not in hung:
            hung.add(other)
            unfold(other, depth + 1, above.add(_hop(edge, name) + _node(other, kinds.get(other, ""))))
        elif edge.predicate != RELATED:
            above.add(_hop(edge, name) + joined((other, QUIET)))
    return root


def _node(name: str, kind: str) -> Text:
    return joined((name, NAME), (f"  {kind}", QUIET))


def path(way: Path) -> RenderableType:
    """Show how two entities are connected, one arrow a step."""
    if not way.steps:
        same = way.source.id == way.target.id
        said = "the same" if same else "not connected within the hops allowed"
        return joined((way.source.name, NAME), " and ", (way.target.name, NAME), (f" are {said}", WARNING))
    line = joined((way.names[0], NAME))
    at = way.names[0]
    for step in way.steps:
        line += _hop(step, at, before=" ")
        at = step.object if step.subject == at else step.subject
        line += joined((at, NAME))
    sources = [
        joined(
            (f"{step.subject} {relation(step.predicate)} {step.object}", QUIET),
            (f", {day(step.since)}", QUIET),
        )
        for step in way.steps
    ]
    return stack(line, *(Text("  ") + source for source in sources))


def _hop(edge: Edge, start: str, before: str = "") -> Text:
    """Return the arrow of an edge as seen from ``start``: it points as it was said."""
    name = relation(edge.predicate)
    arrow = f"─{name}→ " if edge.subject == start else f"←{name}─ "
    return Text(before + arrow, RELATION)
