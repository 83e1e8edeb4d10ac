"""The data files that ship: their form by schema, and what must hold within and across them."""

import json
import re
import tomllib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from mnemic.extraction.cues import shipped_cues
from mnemic.extraction.frame import MARKS
from mnemic.extraction.introduce import introductions
from mnemic.extraction.model import Modality
from mnemic.extraction.names import technical_kinds
from mnemic.extraction.notation import Tongue, parse, slots
from mnemic.extraction.predicates import Inventory, shipped_inventory
from mnemic.extraction.requests import asks_to_keep, find_request
from mnemic.extraction.secrets import Secrets
from mnemic.extraction.segment import sentences
from mnemic.extraction.slots import SlotBook
from mnemic.extraction.times.lexicon import LETTERS
from mnemic.extraction.values import Vocabulary

FOLDER = files("mnemic.dictionaries")
DATA = sorted(
    [each.name for each in FOLDER.iterdir() if each.name.endswith((".toml", ".json"))]
    + [f"weights/{each.name}" for each in FOLDER.joinpath("weights").iterdir()]
)
SCHEMAS = sorted(each.name for each in FOLDER.joinpath("schema").iterdir())
EXACT = {"values.toml", "times.json"}
"""Files in which case or width tells words apart ("M" is no "m", "：" no ":")."""
TONGUES = ("en", "zh")
LEADS = "leads"
"""What stands in place of a predicate where a wording leads to others."""
BARE = Tongue(r"\s*", r"\s*")
"""Joins the parts of wordings without skipped words."""
PLACES = {*MARKS, "any", "thing", "text", "name"}
"""What a predicate's slot may take beside groups and lists."""


@cache
def data(name: str) -> Any:
    text = FOLDER.joinpath(name).read_text("utf-8")
    return tomllib.loads(text) if name.endswith(".toml") else json.loads(text)


@cache
def schema(name: str) -> Any:
    return json.loads(FOLDER.joinpath("schema", name).read_text("utf-8"))


def schema_of(name: str) -> str:
    kind = "weights" if name.startswith("weights/") else name.partition(".")[0]
    return f"{kind}.schema.json"


@cache
def registry() -> Registry[Any]:
    return Registry[Any]().with_resources(
        (name, Resource[Any].from_contents(schema(name))) for name in SCHEMAS
    )


def lists(value: Any, place: str = "") -> Iterator[tuple[str, list[str]]]:
    """Yield every list of words in a data file, and where it stands."""
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        yield place, value
    elif isinstance(value, list | dict):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from lists(part, f"{place}/{key}")


def twice(words: Iterable[str]) -> list[str]:
    return [word for word, count in Counter(words).items() if count > 1]


def claimed_twice(claims: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return the words that stand in more than one of several lists, with the names of these."""
    owners: dict[str, list[str]] = defaultdict(list)
    for name, words in claims.items():
        for word in set(words):
            owners[word].append(name)
    return {word: names for word, names in owners.items() if len(names) > 1}


@cache
def wordings() -> tuple[tuple[str, str, str], ...]:
    """Return all patterns of predicates.toml, and what may lead to them: language, predicate, pattern."""
    raw = data("predicates.toml")
    leads = [(tongue, LEADS, lead) for tongue in TONGUES for lead in raw["leads"][tongue]]
    rows = [
        (tongue, row["name"], wording)
        for row in raw["predicate"]
        for tongue in TONGUES
        for wording in (*row[tongue], *row["questions"][tongue])
    ]
    return (*leads, *rows)


# All files


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_is_one(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))


def test_every_schema_but_the_shared_ones_belongs_to_a_file() -> None:
    assert set(SCHEMAS) - {schema_of(name) for name in DATA} == {"common.schema.json", "entry.schema.json"}


@pytest.mark.parametrize("name", DATA)
def test_every_data_file_keeps_its_schema(name: str) -> None:
    check = Draft202012Validator({"$ref": schema_of(name)}, registry=registry())
    wrong = [f"{fault.json_path}: {fault.message[:200]}" for fault in check.iter_errors(data(name))]
    assert wrong == []


@pytest.mark.parametrize("name", DATA)
def test_every_data_file_names_its_source_and_licence(name: str) -> None:
    assert data(name)["source"].strip()
    assert data(name)["license"] == "Apache-2.0"


@pytest.mark.parametrize("name", DATA)
def test_no_word_stands_twice_in_a_list(name: str) -> None:
    def form(word: str) -> str:
        return word if name in EXACT else unicodedata.normalize("NFKC", word).casefold()

    found = {place: twice(map(form, words)) for place, words in lists(data(name)) if "pattern" not in place}
    assert {place: words for place, words in found.items() if words} == {}


# Cues, senses


def test_cues_are_written_as_the_text_that_they_are_looked_for_in() -> None:
    classes = {name: body for name, body in data("cues.toml").items() if isinstance(body, dict)}
    assert [word for _, words in lists(classes) for word in words if word != word.lower()] == []


def test_words_that_weigh_differently_are_cues_of_their_class() -> None:
    cues, weight = data("cues.toml"), data("modality.toml")["weight"]

    def words(*classes: str) -> set[str]:
        return {word for name in classes for tongue in TONGUES for word in cues[name][tongue]}

    assert set(weight["light"]) <= words("hypothetical", "reported")
    assert {*weight["vague"], *weight["asked"]} <= words("proposal")
    assert set(weight["never"]) <= words("negation")


def test_beginnings_of_code_compile() -> None:
    assert all(re.compile(source) for source in data("modality.toml")["off_record"]["beginnings"])


def test_a_cue_with_a_gap_has_words_on_both_sides() -> None:
    gapped = [word for _, words in lists(data("cues.toml")) for word in words if "…" in word]
    assert [word for word in gapped if not all(part.strip() for part in word.split("…"))] == []


def test_senses_speak_of_predicates_and_groups_that_exist() -> None:
    inventory = shipped_inventory()
    known = groups(inventory) | set(MARKS)
    for row in data("senses.toml")["sense"]:
        assert row["predicate"] in inventory.predicates
        assert {*row["subject"], *row["object"]} <= known, row["predicate"]


def test_no_word_turns_a_name_both_old_and_new() -> None:
    polarity = data("senses.toml")["polarity"]
    for side in ("before", "after"):
        assert claimed_twice({turn: polarity[turn][side] for turn in polarity}) == {}


def test_weights_speak_of_cues_modalities_and_predicates_that_exist() -> None:
    known = {
        "cue": set(shipped_cues().classes),
        "meant": {modality.value for modality in Modality},
        "predicate": set(shipped_inventory().predicates),
    }
    named = [name.partition(":") for name in data("weights/importance.json")["weights"]]
    assert [name for kind, _, name in named if name not in known.get(kind, {name})] == []


# Predicates


def groups(inventory: Inventory) -> set[str]:
    return {*inventory.groups.values(), "tech", "thing"}


def test_predicates_have_names_of_their_own() -> None:
    rows = data("predicates.toml")["predicate"]
    assert twice(row["name"] for row in rows) == []
    assert twice(row["inverse"] for row in rows) == []


def test_a_kind_belongs_to_one_group() -> None:
    assert claimed_twice(data("predicates.toml")["groups"]) == {}


def test_slots_take_groups_values_and_lists_that_exist() -> None:
    inventory = shipped_inventory()
    known = groups(inventory) | PLACES | set(inventory.slots)
    for predicate in inventory.predicates.values():
        assert {*predicate.subject, *predicate.object} <= known, predicate.name


def test_a_statement_is_said_with_its_subject_and_its_object() -> None:
    for row in data("predicates.toml")["predicate"]:
        for said in row["say"].values():
            assert sorted(re.findall(r"\{(\w*)\}", said)) == ["o", "s"], row["name"]


def test_every_class_of_words_that_a_wording_calls_exists() -> None:
    words = data("predicates.toml")["words"]
    missing = [
        (tongue, name, called)
        for tongue, name, wording in wordings()
        for called in re.findall(r"<(\w+)>", wording)
        if called not in words[tongue]
    ]
    assert missing == []


def test_every_kind_of_slot_that_a_wording_calls_exists() -> None:
    known = SlotBook(shipped_inventory(), {}).kinds
    missing = [
        (name, kind)
        for _, name, wording in wordings()
        for kinds in re.findall(r"\{[^{}:]*:([^{}]*)\}", wording)
        for kind in kinds.split("|")
        if kind.removeprefix("=") not in known
    ]
    assert missing == []
    fills = [fill for predicate in shipped_inventory().predicates.values() for fill in predicate.fills]
    assert {fill.removeprefix("=") for fill in fills} <= known


@pytest.mark.parametrize("tongue", TONGUES)
def test_brackets_of_wordings_close(tongue: str) -> None:
    pairs = {")": "(", "]": "[", "}": "{", ">": "<"}
    for _, name, wording in (row for row in wordings() if row[0] == tongue):
        opened: list[str] = []
        for sign in re.sub("[-=]>", "", wording):  # an arrow is no bracket
            if sign in pairs.values():
                opened.append(sign)
            elif sign in pairs:
                assert opened, (name, wording)
                assert opened.pop() == pairs[sign], (name, wording)
        assert not opened, (name, wording)


def test_no_alternative_stands_twice_in_a_wording() -> None:
    found = [
        (name, twice(inner.split("|")))
        for _, name, wording in wordings()
        for inner in re.findall(r"[(\[]([^()\[\]]*)[)\]]", wording)
    ]
    assert [(name, again) for name, again in found if again] == []


def test_a_wording_names_each_slot_once() -> None:
    for _, name, wording in wordings():
        assert twice(re.findall(r"\{(s|o|old|t)!?[:}]", wording)) == [], (name, wording)


def test_every_slot_of_a_wording_makes_an_expression_that_compiles() -> None:
    inventory = shipped_inventory()
    book = SlotBook(inventory, dict.fromkeys(TONGUES, BARE))
    made = {
        book.expression(slot, tongue, inventory[name], opens=opens)
        for tongue, name, wording in wordings()
        if name != LEADS
        for slot in slots(parse(wording, inventory.words[tongue]))
        for opens in (False, True)
    }
    assert all(re.compile(expression) for expression in made)


def test_every_wording_makes_an_expression_that_compiles() -> None:
    """What stands in its slots is left out: it is the same for many, and takes long to compile."""
    words = shipped_inventory().words
    for tongue, _, wording in wordings():
        items = parse(wording, words[tongue])
        fill = {slot: f"(?P<{slot.name}>.)" if slot.name else "." for slot in slots(items)}
        assert re.compile(BARE.sequence(items, fill)), wording


def test_words_of_classes_are_parts_of_wordings_themselves() -> None:
    words = data("predicates.toml")["words"]
    for tongue in TONGUES:
        for name, listed in words[tongue].items():
            assert all(parse(word, words[tongue]) for word in listed), name


# Introductions, requests, names


def test_kinds_of_introductions_are_told_by_different_words() -> None:
    assert claimed_twice(data("introductions.toml")["kinds"]) == {}


def test_introductions_call_only_what_there_is_and_compile() -> None:
    raw = data("introductions.toml")
    for row in raw["introduction"]:
        assert set(re.findall(r"(?<!\?P)<(\w+)>", row["pattern"])) <= {"name", "alias", "kind"}, row
        assert "<kind>" in row["pattern"] or row.get("kind") in {*raw["kinds"], None}, row
    assert introductions("") == ()


def test_requests_compile_and_catch_only_what_is_meant() -> None:
    raw = data("requests.toml")
    re.compile(raw["filler"])
    for source in (*raw["forget"], *raw["unsaved"], *raw["kept"]):
        assert set(re.compile(raw["lead"] + source).groupindex) <= {"what"}, source
    text = "nothing of the kind"
    assert not asks_to_keep(text)
    assert find_request(text, sentences(text)) is None


def test_contrasts_compile_and_name_both_values() -> None:
    raw = data("contrasts.toml")
    re.compile(raw["before"])
    for source in raw["wordings"]:
        assert set(re.compile(raw["lead"] + source + raw["close"]).groupindex) == {"new", "old"}, source


def test_a_word_tells_one_thing_of_one_sort() -> None:
    sorts = data("apart.toml")["sort"]
    ones = {f"{sort['name']} {place}": words for sort in sorts for place, words in enumerate(sort["ones"])}
    assert claimed_twice(ones) == {}


# Values, secrets


def test_a_unit_word_means_one_unit() -> None:
    raw = data("values.toml")
    assert claimed_twice({**raw["measures"], **raw["counters"]}) == {}
    money = {code: [*ways["before"], *ways["after"]] for code, ways in raw["currencies"].items()}
    assert claimed_twice(money) == {}


def test_values_compile() -> None:
    assert len(Vocabulary(data("values.toml")).rules) > 0


def test_secrets_compile_and_call_only_what_there_is() -> None:
    raw = data("sensitive.toml")
    Secrets(raw)
    parts = {*raw["parts"], *(name.upper() for name in raw["words"])}
    parts |= {"not_password", "not_followed", "not_phrase"}
    assert {rule["kind"] for rule in raw["rules"]} == set(raw["labels"])
    for rule in raw["rules"]:
        assert {*rule.get("needs", ()), *rule.get("unless", ())} <= set(raw["words"]), rule
        assert set(re.findall(r"<<(\w+)>>", rule["pattern"])) <= parts, rule


# Names in their surroundings


def test_cues_around_names_rest_on_signs_and_worlds_that_exist() -> None:
    raw = data("context.json")
    worlds = {*raw["worlds"], "technology"}
    for row in raw["cues"]:
        assert set(row.get("signs", ())) <= set(raw["weights"]), row
        assert set(row.get("worlds", ())) <= worlds, row
    assert technical_kinds().isdisjoint(raw["worlds"])


def test_a_form_starts_with_one_prior() -> None:
    rows = data("context.json")["priors"]
    assert claimed_twice({str(row["weight"]): row["forms"] for row in rows}) == {}


# Times


def test_words_of_times_belong_to_classes_that_exist_and_to_one_value_each() -> None:
    raw = data("times.json")
    assert set(raw["words"]) <= set(LETTERS)
    claims = {
        f"{kind} {value}": words for kind, values in raw["words"].items() for value, words in values.items()
    }
    claims |= {name: festival["words"] for name, festival in raw["festivals"].items()}
    assert claimed_twice(claims) == {}


def test_each_traditional_character_has_a_simplified_one() -> None:
    raw = data("times.json")
    assert len(raw["traditional"]) == len(raw["simplified"])
    assert twice(raw["traditional"]) == []
