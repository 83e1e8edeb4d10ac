"""StackOverflow NER (Tabassum et al., 2020): names of software in questions, marked by people token by token.

Measured are spans of the core types, which a dictionary of technologies can hold, whatever their type: a span
counts where both ends agree. Predicted are the technologies that the shipped dictionary finds, and nothing else.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.harness import Overlap, with_progress
from benchmarks.suites.retrieval import Result, Run

CORE = frozenset({"Application", "Language", "Library", "Operating_System"})

_ASKED = datetime(2025, 1, 1, tzinfo=UTC)
_HEADS = frozenset({"Question_ID", "Question_URL", "Answer_to_Question_ID", "RepoName", "Issue_Event_ID"})

Span = tuple[int, int]


def measure(folder: Path, run: Run) -> Result:
    """Return precision, recall and F1 of the spans."""
    from mnemic import Mnemic
    from mnemic.extraction.names import technical_kinds

    overlap, kinds = Overlap(), technical_kinds()
    sentences = [each for path in sorted(folder.glob("*.txt")) for each in _sentences(path)]
    with Mnemic(":memory:", user="reader", embedder="none") as memory:
        for text, expected in with_progress(sentences[: run.cases or None], "sentences", quiet=run.quiet):
            seen = memory.analyse(text, speaker="reader", at=_ASKED)
            spans = (m for unit in seen.units for m in unit.mentions)
            found = {(m.start, m.end) for m in spans if m.kind in kinds}
            overlap.add(both=len(found & expected), found=len(found), expected=len(expected))
    return {"mnemic": {"all": {**overlap.figures(), "spans": overlap.expected}}}


def _sentences(path: Path) -> Iterator[tuple[str, set[Span]]]:
    """Yield the sentences of a file in CoNLL form, tokens joined by spaces.

    Heads of posts are left out, and lines that hold no mark.
    """
    tokens: list[tuple[str, str]] = []
    for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        cells = line.split("\t")
        if cells[0].strip() and len(cells) > 1:
            tokens.append((cells[0].strip(), cells[1].strip()))
        elif tokens:
            if tokens[0][0] not in _HEADS:
                yield " ".join(word for word, _ in tokens), set(_spans(tokens))
            tokens = []


def _spans(tokens: Iterable[tuple[str, str]]) -> Iterator[Span]:
    """Yield where the core names stand in the joined text, from their BIO marks."""
    start, end, place = -1, -1, 0
    for word, mark in tokens:
        begins, inside = mark[:2] == "B-" and mark[2:] in CORE, mark[:2] == "I-" and mark[2:] in CORE
        if start >= 0 and not inside:
            yield start, end
            start = -1
        if begins:
            start = place
        end = place + len(word)
        place = end + 1
    if start >= 0:
        yield start, end
