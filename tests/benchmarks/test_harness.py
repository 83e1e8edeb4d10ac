import json
from pathlib import Path

import pytest

from benchmarks.harness import Fold, Overlap, Rate, rates_table, read_lines, write_json

IDS = [f"case-{number}" for number in range(1000)]


def test_the_blind_fold_is_about_a_fifth_and_the_open_one_is_the_rest() -> None:
    blind = {case for case in IDS if Fold.BLIND.holds(case)}
    assert 150 < len(blind) < 250
    assert {case for case in IDS if Fold.OPEN.holds(case)} == set(IDS) - blind
    assert all(Fold.ALL.holds(case) for case in IDS)


def test_the_fold_of_an_id_never_changes() -> None:
    assert [case for case in IDS[:20] if Fold.BLIND.holds(case)][:3] == ["case-5", "case-8", "case-10"]


def test_lines_are_read_with_their_files_name(tmp_path: Path) -> None:
    for name in ("zh", "en"):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"id": name}) + "\n\n", encoding="utf-8")
    assert list(read_lines(tmp_path)) == [("en", {"id": "en"}), ("zh", {"id": "zh"})]
    assert list(read_lines(tmp_path, ["zh"])) == [("zh", {"id": "zh"})]


def test_a_folder_without_data_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no \.jsonl file"):
        list(read_lines(tmp_path))


def test_rates_and_overlaps() -> None:
    rate, overlap = Rate(), Overlap()
    assert rate.share == 0
    assert overlap.figures() == {"p": 0, "r": 0, "f1": 0}
    for passed in (True, False, True, True):
        rate.count(passed)
    overlap.add(both=1, found=2, expected=4)
    assert rate.share == 0.75
    assert overlap.figures() == {"p": 0.5, "r": 0.25, "f1": 0.3333}
    assert rates_table("t", {"kind": {"recall": rate}}).row_count == 1


def test_json_keeps_chinese_readable(tmp_path: Path) -> None:
    write_json(tmp_path / "out.json", {"名": 1})
    assert "名" in (tmp_path / "out.json").read_text(encoding="utf-8")
