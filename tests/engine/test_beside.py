"""What the caller says beside the words holds no secret, and is refused where no store could keep it."""

from pathlib import Path
from typing import Any

import pytest

from mnemic import InvalidInput, ManualClock, Mnemic
from tests.engine.told import bytes_of, door, rows, unchanged

TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"

MASKED: dict[str, tuple[dict[str, Any], str, str]] = {
    "a tag": ({"tags": ["home", f"deploy {TOKEN}"]}, "tags", TOKEN),
    "a value": ({"metadata": {"note": f"with {TOKEN}"}}, "metadata", TOKEN),
    "a nested value": ({"metadata": {"a": [{"b": [TOKEN]}]}}, "metadata", TOKEN),
    "a key": ({"metadata": {TOKEN: "old"}}, "metadata", TOKEN),
    "a value under its word": ({"metadata": {"wifi_password": "sunflower"}}, "metadata", "sunflower"),
    "a Chinese value": ({"metadata": {"备注": "密码是Hz#77mango"}}, "metadata", "Hz#77mango"),
    "a number": ({"metadata": {"pin": 44719}}, "metadata", "44719"),
}


@pytest.mark.parametrize("case", MASKED)
def test_a_secret_beside_the_words_is_in_no_byte_and_in_the_receipt(
    tmp_path: Path, clock: ManualClock, case: str
) -> None:
    options, field, secret = MASKED[case]
    with door(tmp_path / "memory.db", clock=clock) as memory:
        receipt = memory.remember("Ben lives in Berlin.", importance=0.9, **options)
        assert [(hidden.field, hidden.turn) for hidden in receipt.masked] == [(field, receipt.turns[0])]
        assert secret not in str(rows(memory))
    assert secret.lower().encode() not in bytes_of(tmp_path)


def test_two_keys_that_are_masked_alike_both_stay(memory: Mnemic) -> None:
    memory.remember("Ben lives in Berlin.", metadata={TOKEN: 1, TOKEN[:-1]: 2, "plain": 3})
    (turn,) = rows(memory, "turn")
    assert sorted(turn["metadata"].values()) == [1, 2, 3]


def test_what_holds_no_secret_stays_as_it_is(memory: Mnemic) -> None:
    metadata = {"source": "import-2026", "n": [1, 2.5, None, True], "deep": {"ticket": "SR-2026-118"}}
    receipt = memory.remember("Ben lives in Berlin.", tags=["home", "家"], metadata=metadata)
    assert receipt.masked == ()
    (turn,) = rows(memory, "turn")
    assert turn["metadata"] == metadata


@pytest.mark.parametrize("field", ["speaker", "session", "id"])
@pytest.mark.parametrize("secret", [TOKEN, "密码是Tr33house"])
def test_an_identifier_that_is_a_secret_is_refused_not_altered(
    memory: Mnemic, field: str, secret: str
) -> None:
    options: dict[str, Any] = {field: secret}
    with unchanged(memory), pytest.raises(InvalidInput) as caught:
        memory.remember("Ben lives in Berlin.", **options)
    assert caught.value.field == field
    assert secret not in str(caught.value)


@pytest.mark.parametrize(
    "row",
    [
        {"name": TOKEN, "kind": "service"},
        {"name": "Falkon", "kind": "service", "aliases": ["the bird", TOKEN]},
        {"name": "Falkon", "kind": TOKEN},
    ],
)
def test_a_name_that_is_a_secret_is_not_learnt(memory: Mnemic, row: dict[str, Any]) -> None:
    with unchanged(memory), pytest.raises(InvalidInput, match="secret") as caught:
        memory.learn([row])
    assert TOKEN not in str(caught.value)


@pytest.mark.parametrize("ending", ["yaml", "csv"])
def test_a_secret_in_a_file_of_names_is_not_learnt(tmp_path: Path, memory: Mnemic, ending: str) -> None:
    path = tmp_path / f"names.{ending}"
    rows = {"yaml": f"- {{name: {TOKEN}, kind: service}}\n", "csv": f"name,kind\n{TOKEN},service\n"}
    path.write_text(rows[ending], encoding="utf-8")
    with unchanged(memory), pytest.raises(InvalidInput, match="secret"):
        memory.learn(path)


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "a lone surrogate in a value": ({"metadata": {"a": {"b": "x\ud800"}}}, "metadata.a.b"),
    "a lone surrogate in a key": ({"metadata": {"x\ud800": 1}}, "metadata, a key"),
    "a NUL character": ({"metadata": {"a": ["x\x00"]}}, "metadata.a[0]"),
    "a key that is no text": ({"metadata": {7: 1}}, "metadata"),
    "a key of mnemic's own": ({"metadata": {"mnemic:unsure": True}}, "metadata"),
    "what JSON does not know": ({"metadata": {"a": float("nan")}}, "metadata.a"),
    "a thing": ({"metadata": {"a": object()}}, "metadata.a"),
    "20 MB of metadata": ({"metadata": {"a": "b" * 20_000_000}}, "metadata"),
    "an empty tag": ({"tags": ["home", " "]}, "tags[1]"),
    "a tag of 1 MB": ({"tags": ["a" * 1_000_000]}, "tags[0]"),
    "a tag that cannot be stored": ({"tags": ["a\ud800"]}, "tags[0]"),
    "too many tags": ({"tags": [str(number) for number in range(101)]}, "tags"),
    "empty words to replace": ({"replaces": " "}, "replaces"),
    "a speaker without end": ({"speaker": "a" * 5_000}, "speaker"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_kept_is_refused_by_its_field(memory: Mnemic, case: str) -> None:
    options, field = BAD[case]
    with unchanged(memory), pytest.raises(InvalidInput) as caught:
        memory.remember("Ben lives in Berlin.", **options)
    assert caught.value.field == field
    assert len(str(caught.value)) < 300


def test_metadata_that_holds_itself_is_refused(memory: Mnemic) -> None:
    ring: dict[str, Any] = {}
    ring["ring"] = ring
    with unchanged(memory), pytest.raises(InvalidInput, match=r"^metadata"):
        memory.remember("Ben lives in Berlin.", metadata=ring)
