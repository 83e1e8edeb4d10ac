import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Run = Callable[..., Result]

SOURCE = (Path(__file__).parents[2] / "examples" / "team.jsonl").read_text("utf-8")


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> str:
    from typer.testing import CliRunner

    from mnemic.api.cli import app

    done = CliRunner().invoke(app, ["demo", "--embedder", "none"], env={"COLUMNS": "100"})
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_tour_fits_on_a_page(shown: str) -> None:
    assert 40 < len(shown.splitlines()) < 110


@pytest.mark.parametrize(
    "sight",
    [
        "REPLACES",
        "heard in",
        "masked",
        "about(",
        "explore(",
        "path(",
        "history(",
        "seed",
        "valid_as_of",
        "nothing:",
    ],
)
def test_the_tour_shows(shown: str, sight: str) -> None:
    assert sight in shown


def test_the_tour_leaves_no_secret_and_no_file(run: Run, tmp_path: Path) -> None:
    stops = json.loads(run("demo", "--json").stdout)
    assert len(stops) == 11
    assert {"title", "call", "result"} == set(stops[0])
    for secret in ("Mackerel!77sea", "yd_live_9f3KqT7wXz2LmB8rVn4c"):
        assert secret in SOURCE
        assert secret not in json.dumps(stops)
    assert not list(tmp_path.iterdir())
