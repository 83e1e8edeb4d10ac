from datetime import UTC, datetime

import pytest

from benchmarks.agreement import Said, likeness, pair, plain, tells


def said(
    subject: str, predicate: str, thing: str, modality: str = "asserted", other: tuple[str, ...] = ()
) -> Said:
    return Said(subject=subject, predicate=predicate, object=thing, modality=modality, other=other)


def test_plain_text_has_no_case_width_spaces_or_punctuation() -> None:
    assert plain("Ｐay-Svc， v2.3！") == "paysvcv23"


def test_likeness_is_dice_of_character_pairs() -> None:
    assert likeness("night", "nacht") == pytest.approx(2 * 1 / 8)
    assert likeness("Postgre SQL", "postgresql") == 1
    assert likeness("支付系统", "支付") > 0.9
    assert likeness("a", "b") == likeness("", "b") == 0


def test_statements_pair_by_predicate_subject_and_object() -> None:
    gold = [said("支付系统", "uses", "PostgreSQL"), said("Ann", "lives_in", "York")]
    found = [
        said("Ann", "lives_in", "Leeds"),
        said("支付", "uses", "postgresql"),
        said("Ann", "uses", "York"),
    ]
    assert pair(gold, found) == [(0, 1)]


def test_pairing_is_one_to_one_and_prefers_the_same_modality() -> None:
    gold = [said("Tern", "status", "beta", "ended"), said("Tern", "status", "beta")]
    found = [said("Tern", "status", "beta"), said("Tern", "status", "beta", "ended")]
    assert pair(gold, found) == [(0, 1), (1, 0)]
    assert len(pair(gold[:1], found)) == 1


def test_pairing_finds_as_many_as_possible() -> None:
    gold = [said("x", "task", "phone the bank"), said("x", "task", "phone the bank about the loan")]
    found = [said("x", "task", "phone the bank about the loan"), said("x", "task", "bank about the loan")]
    assert len(pair(gold, found)) == 2


def test_an_object_also_agrees_by_its_other_wording() -> None:
    gold = [said("grant application", "deadline", "next Wed, noon")]
    found = [said("grant application", "deadline", "2026-10-28T12:00", other=("next wed, noon",))]
    assert pair(gold, found) == [(0, 0)]


def test_a_moment_tells_a_date_or_a_minute() -> None:
    moment = datetime(2026, 10, 28, 12, tzinfo=UTC)
    assert tells(moment, "2026-10-28")
    assert tells(moment, "2026-10-28T12:00")
    assert not tells(moment, "2026-10-28T12:30")
    assert not tells(None, "2026-10-28")
