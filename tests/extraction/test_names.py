import json
from pathlib import Path

import pytest

from mnemic.errors import InvalidInput, UnknownName
from mnemic.extraction.lexicon import Entry
from mnemic.extraction.names import load_names, shipped, shipped_lexicon

ADA = Entry("Ada", "person")
PAYMENTS = Entry("支付系统", "project", ("支付", "Payments"))

GOOD = {
    "names.yaml": "- name: Ada\n  kind: person\n- {name: 支付系统, kind: project, aliases: [支付, Payments]}\n",
    "names.yml": "- name: Ada\n  kind: person\n  aliases:\n- {name: 支付系统, kind: project, aliases: [支付, Payments]}\n",
    "names.json": json.dumps(
        [
            {"name": "Ada", "kind": "person"},
            {"name": "支付系统", "kind": "project", "aliases": ["支付", "Payments"]},
        ]
    ),
    "names.csv": "name,kind,aliases\nAda,person,\n\n支付系统,project, 支付 | Payments |\n",
    "semicolons.csv": "name,kind,aliases\nAda,person,\n支付系统,project,支付； Payments\n",
    "NAMES.CSV": "\ufeffKind,Name,Aliases\r\nperson,Ada\r\nproject,支付系统,支付|Payments\r\n",
}


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize("name", GOOD)
def test_every_format_gives_the_same_entries(tmp_path: Path, name: str) -> None:
    assert load_names(write(tmp_path, name, GOOD[name])) == [ADA, PAYMENTS]


def test_an_empty_csv_or_list_has_no_names(tmp_path: Path) -> None:
    assert load_names(write(tmp_path, "a.csv", "name,kind\n")) == []
    assert load_names(write(tmp_path, "a.yaml", "[]")) == []


@pytest.mark.parametrize(
    ("name", "text", "place", "fix"),
    [
        ("a.yaml", "- name: Ada\n- name: Bo\n  kind: person\n", "line 1, kind", "write a word"),
        ("a.yaml", "- name: Ada\n  kind: person\n- name: NO\n  kind: place\n", "line 3, name", "quotes"),
        ("a.yaml", "- {name: Ada, kind: person, aliases: A}\n", "line 1, aliases", "list"),
        ("a.yaml", "- {name: Ada, kind: person, aliases: [7]}\n", "line 1, aliases", "quotes"),
        ("a.yaml", "- Ada\n", "line 1", "entry with the fields"),
        ("a.yaml", "name: Ada\n", "a.yaml", "- name:"),
        ("a.yaml", "", "a.yaml", "- name:"),
        ("a.yaml", "- name: Ada\n  kind: [person\n", "line 3", "YAML"),
        ("a.yaml", "- name: '\x00'\n", "a.yaml", "YAML"),
        ("a.json", '[{"name": "Ada" "kind": 1}]', "line 1", "JSON"),
        ("a.json", '{"name": "Ada"}', "a.json", "[{"),
        ("a.json", '[{"name": " ", "kind": "person"}]', "entry 1, name", "write a word"),
        ("a.csv", "name,kind,aliases\nAda,person,A,B\n", "line 2", "|"),
        ("a.csv", "name,kind\nAda,person\nBo,\n", "line 3, kind", "write a word"),
        ("a.csv", 'name,kind\n"Ada,person\n', "line 2", "quotes"),
        ("a.csv", "name,kind\nAda,person\nADA,person\n", "line 3, name", "one entry"),
        ("a.json", "[" * 100_000, "a.json", "flat list"),
        ("a.json", "[" + "9" * 5000 + "]", "a.json", "flat list"),
        ("a.yaml", "[" * 5_000, "a.yaml", "flat list"),
        ("a.txt", "Ada", "a.txt", ".yaml, .json or .csv"),
    ],
)
def test_an_error_names_the_place_and_the_fix(
    tmp_path: Path, name: str, text: str, place: str, fix: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        load_names(write(tmp_path, name, text))
    assert name in caught.value.field
    assert caught.value.field.endswith(place)
    assert fix in caught.value.fix


def test_an_unknown_field_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"line 1: unknown name 'alias'; did you mean 'aliases'"):
        load_names(write(tmp_path, "a.yaml", "- {name: Ada, kind: person, alias: [A]}\n"))


def test_a_file_that_is_not_there_or_not_utf8_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="check the path"):
        load_names(tmp_path / "none.csv")
    (tmp_path / "gbk.csv").write_bytes("name,kind\n支付系统,project\n".encode("gbk"))
    with pytest.raises(InvalidInput, match="save it as UTF-8"):
        load_names(tmp_path / "gbk.csv")


def test_shipped_names_are_read_once_and_found() -> None:
    assert shipped() is shipped()
    assert shipped_lexicon() is shipped_lexicon()
    assert [each.name for each in shipped_lexicon().find("从 MySQL 换成 PostgreSQL")] == [
        "MySQL",
        "PostgreSQL",
    ]


def test_every_ambiguous_form_of_a_shipped_entry_is_one_of_its_forms() -> None:
    stray = [
        (entry.name, form)
        for entry in shipped()
        for form in entry.ambiguous
        if form not in (entry.name, *entry.aliases)
    ]
    assert stray == []
