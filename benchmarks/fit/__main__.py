"""Fit the weights of a scorer on free data and write them where they ship.

    python -m benchmarks.fit importance FOLDER

FOLDER holds the project's own data: ``scenarios``, ``statements``, ``conversations``. Only the open fold
is used; the blind fifth stays for measuring. Prints what the weights reach on held-out groups.
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.fit import importance, overrule
from benchmarks.fit.logistic import Example, Fitted, average_precision, fit, held_out
from mnemic.engine.settings import Settings

SCORERS: dict[str, tuple[Callable[[Path], list[Example]], float, float | None]] = {
    "importance": (importance.examples, 2.0, Settings().keep_from),
    "overrule": (overrule.examples, 3.0, None),
}
"""What can be fitted: where the examples come from, the L2 penalty, and the probability (if any) that the
threshold of best F1 is to have."""

WEIGHTS = Path(__file__).parents[2] / "dictionaries" / "weights"


def main(
    scorer: Annotated[str, typer.Argument(help="What to fit: " + ", ".join(SCORERS))],
    folder: Annotated[Path, typer.Argument(help="The folder that holds the data sets.")],
) -> None:
    """Fit, report and write."""
    gather, penalty, anchor = SCORERS[scorer]
    examples = gather(folder)
    scores = held_out(examples, penalty=penalty)
    labels = [example.label for example in examples]
    print(f"{len(examples)} examples, {sum(labels)} true, average precision {average_precision(scores, labels):.3f}")
    for threshold, precision, recall in operating_points(scores, labels):
        print(f"  log odds from {threshold:+.1f}: precision {precision:.3f}, recall {recall:.3f}")
    fitted = fit(examples, penalty=penalty)
    if anchor is not None:
        fitted = replace(fitted, bias=round(fitted.bias + math.log(anchor / (1.0 - anchor)) - best_threshold(scores, labels), 4))
    _write(scorer, fitted)


def best_threshold(scores: Sequence[float], labels: Sequence[bool]) -> float:
    """Return the log odds from which on F1 is highest."""
    order = sorted(zip(scores, labels, strict=True), reverse=True)
    best, threshold, hit = 0.0, 0.0, 0
    for count, (score, label) in enumerate(order, 1):
        hit += label
        f1 = 2.0 * hit / (count + sum(labels))
        if f1 > best:
            best, threshold = f1, score
    return threshold


def operating_points(scores: Sequence[float], labels: Sequence[bool]) -> list[tuple[float, float, float]]:
    """Return precision and recall from some log odds on."""
    points = []
    for threshold in (-1.7, -1.0, -0.5, 0.0, 0.5, 1.0):
        chosen = [label for score, label in zip(scores, labels, strict=True) if score >= threshold]
        hit = sum(chosen)
        points.append((threshold, hit / max(1, len(chosen)), hit / max(1, sum(labels))))
    return points


def _write(scorer: str, fitted: Fitted) -> None:
    body = {
        "source": "fitted on the project's own scenarios and labelled messages (open fold)",
        "license": "Apache-2.0",
        "command": f"python -m benchmarks.fit {scorer} FOLDER",
        "bias": fitted.bias,
        "weights": fitted.weights,
    }
    text = json.dumps(body, ensure_ascii=False, indent=1)
    (WEIGHTS / f"{scorer}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
