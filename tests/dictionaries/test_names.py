"""The dictionaries of names that ship: their form, and what must hold across entries and files."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mnemic.extraction.text import fold

FILES = ("technologies", "organisations", "places")
KINDS = {"organisations": {"organization"}, "places": {"place"}}


@dataclass(frozen=True)
class Claim:
    """A form that an entry claims for itself."""

    file: str
    name: str
    ambiguous: bool


@cache
def lines(file: str) -> tuple[Any, ...]:
    text = files("mnemic.dictionaries").joinpath(f"{file}.jsonl").read_text("utf-8")
    return tuple(json.loads(line) for line in text.splitlines())


def entries(file: str) -> tuple[Any, ...]:
    return lines(file)[1:]


def everywhere() -> Iterator[Any]:
    for file in FILES:
        yield from entries(file)


def forms(entry: Any) -> list[str]:
    return [entry["name"], *entry.get("aliases", ())]


@cache
def schema() -> Any:
    return json.loads(files("mnemic.dictionaries").joinpath("schema/entry.schema.json").read_text("utf-8"))


def validator(part: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{part}", "$defs": schema()["$defs"]})


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(schema())


@cache
def claims() -> dict[str, tuple[Claim, ...]]:
    """Return all claims by folded form."""
    found: dict[str, list[Claim]] = defaultdict(list)
    for file in FILES:
        for entry in entries(file):
            for form in forms(entry):
                found[fold(form)].append(Claim(file, entry["name"], form in entry.get("ambiguous", ())))
    return {form: tuple(claimed) for form, claimed in found.items()}


@pytest.mark.parametrize("file", FILES)
def test_the_first_line_is_a_header_and_all_others_are_entries(file: str) -> None:
    header, *rows = lines(file)
    validator("header").validate(header)
    check = validator("entry")
    assert [row for row in rows if not check.is_valid(row)] == []


@pytest.mark.parametrize(("file", "least"), [("technologies", 1500), ("organisations", 350), ("places", 500)])
def test_there_are_enough_names(file: str, least: int) -> None:
    assert len(entries(file)) >= least


def test_a_file_holds_only_its_own_kinds() -> None:
    for file, kinds in KINDS.items():
        assert {entry["kind"] for entry in entries(file)} == kinds
    technologies = {entry["kind"] for entry in entries("technologies")}
    assert technologies.isdisjoint({"organization", "place"})


def test_every_kind_of_the_schema_is_used_and_explained() -> None:
    known = set(schema()["$defs"]["entry"]["properties"]["kind"]["enum"])
    readme = files("mnemic.dictionaries").joinpath("README.md").read_text("utf-8")
    assert {entry["kind"] for entry in everywhere()} == known
    assert set(re.findall(r"^\| `(\w+)` \|", readme, re.MULTILINE)) == known


@pytest.mark.parametrize("file", FILES)
def test_entries_are_sorted_by_kind_and_name(file: str) -> None:
    keys = [(entry["kind"], entry["name"]) for entry in entries(file)]
    assert keys == sorted(set(keys))


def test_no_canonical_name_stands_twice() -> None:
    by_name = defaultdict(list)
    for entry in everywhere():
        by_name[fold(entry["name"])].append(entry["name"])
    assert [names for names in by_name.values() if len(names) > 1] == []


@pytest.mark.parametrize("file", FILES)
def test_within_a_file_a_form_belongs_to_one_entry(file: str) -> None:
    owners = {
        form: [each.name for each in claimed if each.file == file] for form, claimed in claims().items()
    }
    assert {form: names for form, names in owners.items() if len(names) > 1} == {}


def test_a_form_in_two_files_is_ambiguous_in_one_of_them() -> None:
    shared = {form: claimed for form, claimed in claims().items() if len(claimed) > 1}
    assert [form for form, claimed in shared.items() if not any(each.ambiguous for each in claimed)] == []


def test_ambiguous_forms_are_forms_of_their_entry() -> None:
    wrong = [
        entry["name"] for entry in everywhere() if not set(entry.get("ambiguous", ())) <= set(forms(entry))
    ]
    assert wrong == []


def test_makers_are_known_organisations() -> None:
    organisations = {entry["name"] for entry in entries("organisations")}
    makers = {entry["maker"] for entry in everywhere() if "maker" in entry}
    assert makers - organisations == set()


def test_latin_forms_of_one_or_two_letters_are_ambiguous() -> None:
    short = [
        (entry["name"], form)
        for entry in everywhere()
        for form in forms(entry)
        if re.fullmatch(r"[A-Za-z]{1,2}", form) and form not in entry.get("ambiguous", ())
    ]
    assert short == []


@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("k8s", "Kubernetes"),
        ("PG", "PostgreSQL"),
        ("es", "Elasticsearch"),
        ("ts", "TypeScript"),
        ("mongo", "MongoDB"),
        ("GHA", "GitHub Actions"),
        ("安卓", "Android"),
        ("苹果手机", "iPhone"),
        ("小程序", "微信小程序"),
        ("阿里", "阿里巴巴"),
        ("Alibaba", "阿里巴巴"),
        ("Shanghai", "上海"),
        ("新加坡", "Singapore"),
    ],
)
def test_what_people_type_leads_to_the_name(form: str, name: str) -> None:
    assert name in {each.name for each in claims()[fold(form)]}


@pytest.mark.parametrize(
    "form",
    [
        *("Go", "R", "C", "Rust", "Swift", "Spring", "Express", "Slack", "Notion", "Node", "Word", "Signal"),
        *("Apple", "Amazon", "Meta", "Shell", "Target", "Gap", "Visa", "小米", "苹果", "豆包", "达梦"),
        *("Turkey", "Reading", "Nice", "Bath", "Georgia", "Mobile", "Split", "中山", "东方", "朝阳"),
    ],
)
def test_everyday_words_need_evidence(form: str) -> None:
    assert all(each.ambiguous for each in claims()[fold(form)])
