"""Fit the weights of a scorer on free data and write them where they ship.

    python -m benchmarks.fit importance|meaning|overrule|recall|order|centre|adapter FOLDER [--vectors FILE]
    python -m benchmarks.fit overrule FOLDER --taught FILE

FOLDER holds the project's own data: ``scenarios``, ``statements``, ``conversations``. Only the open fold
is used; the blind fifth stays for measuring. FILE holds what users settled themselves, as
``mnemic feedback export`` writes it. Prints what the weights reach on held-out groups.
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.fit import adapter, centre, importance, order, overrule, recall
from benchmarks.fit.histories import conversations
from benchmarks.fit.logistic import Example, Fitted, average_precision, fit, held_out
from benchmarks.vectors import KeptVectors
from mnemic.engine.meaning import PART, scorer_name
from mnemic.engine.settings import Settings
from mnemic.extraction.embedders import e5
from mnemic.extraction.embedders.registry import embedder as embedder_named
from mnemic.graph.model import Layer

SCORERS: dict[str, tuple[Callable[[Path], list[Example]], float, float | None]] = {
    "importance": (importance.examples, 2.0, Settings().keep_from),
    "overrule": (overrule.examples, overrule.PENALTY, None),
}
"""What can be fitted: where the examples come from, the L2 penalty, and the probability (if any) that the
threshold of best F2 is to have."""

WEIGHTS = Path(__file__).parents[2] / "dictionaries" / "weights"


def main(
    scorer: Annotated[
        str,
        typer.Argument(help="What to fit: importance, meaning, overrule, recall, order, centre or adapter."),
    ],
    folder: Annotated[Path, typer.Argument(help="The folder that holds the data sets.")],
    *,
    vectors: Annotated[Path | None, typer.Option(help="A file that keeps vectors between runs.")] = None,
    taught: Annotated[
        Path | None, typer.Option(help="For overrule: pairs that users settled, from mnemic feedback export.")
    ] = None,
) -> None:
    """Fit, report and write."""
    if taught is not None and scorer != "overrule":
        raise typer.BadParameter("only overrule learns from what users settled", param_hint="--taught")
    if scorer == "recall":
        return _write_recall(folder)
    if scorer == "centre":
        return _write(f"centre-{e5.NAME}", scorer, dict(centre.mean_vectors(folder, e5.NAME)))
    if scorer == "order":
        return _write_order(folder, vectors)
    if scorer == "adapter":
        maps = adapter.fit_adapters(_lessons(folder, _model(vectors)))
        return _write(f"adapter-{e5.NAME}", scorer, {kind: adapter.as_data(maps[kind]) for kind in maps})
    if scorer == "meaning":
        return _write_meaning(folder)
    gather, penalty, anchor = SCORERS[scorer]
    examples = gather(folder)
    if taught is not None:
        examples += overrule.settled(taught)
    fitted = _fitted(examples, penalty, anchor)
    command = scorer if taught is None else f"{scorer} --taught FILE"
    _write(scorer, command, {"bias": fitted.bias, "weights": fitted.weights})


def _write_meaning(folder: Path) -> None:
    """Fit the importance scorer for sentences with vectors: visible features and a direction together."""
    _, penalty, anchor = SCORERS["importance"]
    model = e5.E5Embedder()
    fitted = _fitted(importance.meant(folder, model), penalty, anchor)
    weights, towards = (
        importance.visible(fitted.weights),
        importance.direction(fitted.weights, model.dimension),
    )
    _write(scorer_name(e5.NAME), "meaning", {"bias": fitted.bias, "weights": weights, PART: towards})


def _fitted(examples: Sequence[Example], penalty: float, anchor: float | None) -> Fitted:
    """Report what weights reach on groups that were held out, and return those that all examples make."""
    scores = held_out(examples, penalty=penalty)
    labels = [example.label for example in examples]
    print(
        f"{len(examples)} examples, {sum(labels)} true, average precision {average_precision(scores, labels):.3f}"
    )
    for threshold, precision, hit in operating_points(scores, labels):
        print(f"  log odds from {threshold:+.1f}: precision {precision:.3f}, recall {hit:.3f}")
    fitted = fit(examples, penalty=penalty)
    if anchor is not None:
        whole = [(score, e.label) for score, e in zip(scores, examples, strict=True) if e.weight == 1.0]
        shift = math.log(anchor / (1.0 - anchor)) - best_threshold(*zip(*whole, strict=True))
        fitted = replace(fitted, bias=round(fitted.bias + shift, 4))
    return fitted


def _write_recall(folder: Path) -> None:
    """Fit a weighing for each layer, with vectors and without; the named profiles stay as they are."""
    path = WEIGHTS / "recall.json"
    body = json.loads(path.read_text(encoding="utf-8"))
    for embedder, column in ((e5.NAME, "with vectors"), ("none", "without vectors")):
        asked = recall.gather(folder, embedder)
        for layer in Layer:
            body[layer.value][column] = _weighing(
                [a for a in asked if a.layer is layer], f"{layer.value}, {column}"
            )
    _write("recall", "recall", {key: body[key] for key in ("memory", "turn", "profiles")})


def _weighing(asked: Sequence[recall.Asked], title: str) -> dict[str, object]:
    """Fit one weighing; its floor is the held-out probability that best parts answers from misses.

    The floor comes from the scenarios alone: their histories are as short as a young memory is, and their
    questions without an answer are those of people, not near misses on purpose.
    """
    examples = [example for question in asked for example in question.examples()]
    scores = held_out(examples, penalty=1.0)
    ends, best = iter(scores), []
    hits = 0
    for question in asked:
        own = [(next(ends), label) for _, label in question.rows]
        top = sorted(own, reverse=True)[:5]
        hits += any(label for _, label in top)
        shown = [score for score, label in own if label or not question.answerable]
        if question.short and shown:  # where no candidate is true, no floor can help
            best.append((max(shown), question.answerable))
    floor = best_parting(best)
    answerable = sum(question.answerable for question in asked)
    print(
        f"{title}: {answerable} questions, a true row in the top 5: {hits / max(1, answerable):.3f}, floor {floor:+.2f}"
    )
    fitted = fit(examples, penalty=1.0)
    return {"floor": round(1.0 / (1.0 + math.exp(-floor)), 4), "bias": fitted.bias, "weights": fitted.weights}


def _model(vectors: Path | None) -> KeptVectors:
    """Return the default embedder, its vectors kept."""
    model = embedder_named(e5.NAME)
    if model is None:
        raise SystemExit(f"{e5.NAME} makes no vectors")
    return KeptVectors(model, vectors)


def _lessons(folder: Path, model: KeptVectors) -> list[adapter.Lesson]:
    return [adapter.lesson(each, model) for each in conversations(folder)]


def _write_order(folder: Path, vectors: Path | None) -> None:
    """Fit the order of turns, with vectors and without."""
    model = _model(vectors)
    unseen = adapter.without_each(_lessons(folder, model))
    body: dict[str, object] = {}
    for column, asked in (
        ("with vectors", order.gather(folder, model, unseen)),
        ("without vectors", order.gather(folder, "none", {})),
    ):
        found = {depth: order.held_out(asked, depth) for depth in (5, 10)}
        print(f"{column}: of the evidence {found[5]:.3f} in the top 5, {found[10]:.3f} in the top 10")
        body[column] = order.fitted(asked).weights
    _write("order", "order", body)


def best_parting(best: Sequence[tuple[float, bool]]) -> float:
    """Return the log odds that part the best rows of answerable questions from those of the others.

    An answer lost weighs as much as four rows shown where nothing was wanted: people ask rather of what
    they told than of what they never did, while here most questions are strangers.
    """
    cuts = sorted({score for score, _ in best})
    return min(
        cuts, key=lambda cut: sum((score < cut) if good else 0.25 * (score >= cut) for score, good in best)
    )


def best_threshold(scores: Sequence[float], labels: Sequence[bool]) -> float:
    """Return the log odds from which on F2 is highest: a fact lost is worse than a remark kept."""
    order = sorted(zip(scores, labels, strict=True), reverse=True)
    best, threshold, hit = 0.0, 0.0, 0
    for count, (score, label) in enumerate(order, 1):
        hit += label
        f2 = 5.0 * hit / (count + 4.0 * sum(labels))
        if f2 > best:
            best, threshold = f2, score
    return threshold


def operating_points(scores: Sequence[float], labels: Sequence[bool]) -> list[tuple[float, float, float]]:
    """Return precision and recall from some log odds on."""
    points = []
    for threshold in (-1.7, -1.0, -0.5, 0.0, 0.5, 1.0):
        chosen = [label for score, label in zip(scores, labels, strict=True) if score >= threshold]
        hit = sum(chosen)
        points.append((threshold, hit / max(1, len(chosen)), hit / max(1, sum(labels))))
    return points


def _write(file: str, command: str, weights: dict[str, object]) -> None:
    body = {
        "source": "fitted on the project's own scenarios, conversations and labelled messages (open fold)",
        "license": "Apache-2.0",
        "command": f"python -m benchmarks.fit {command} FOLDER",
        **weights,
    }
    text = json.dumps(body, ensure_ascii=False, indent=1)
    (WEIGHTS / f"{file}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
