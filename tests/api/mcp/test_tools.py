import inspect
import json
from datetime import timedelta
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import MCPError

from mnemic import ManualClock, Mnemic
from mnemic.api.mcp import answers, tools
from mnemic.api.mcp.texts import prompts, texts
from mnemic.api.service.access import NEEDED
from tests.api.mcp.conftest import Assistant, text_of
from tests.engine.told import rows

NAMES = ("remember", "recall", "about", "explore", "history", "forget")


def tell(assistant: Assistant, *lines: str) -> None:
    for line in lines:
        assistant.use("remember", text=line)


def test_the_tools_are_few_and_each_says_what_an_assistant_must_know(assistant: Assistant) -> None:
    listed = assistant.list_tools().tools
    assert tuple(tool.name for tool in listed) == NAMES
    for tool in listed:
        assert tool.title
        assert len(tool.description) > 100
        for schema in (tool.input_schema, tool.output_schema):
            Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
            assert "title" not in json.dumps(list(schema["properties"].values()))
        assert tool.input_schema["additionalProperties"] is False
        for field in tool.input_schema["properties"].values():
            assert field["description"]
            assert field["examples"]
            assert field.get("default", "") is not None
        assert tool.annotations.open_world_hint is False


def test_only_forget_destroys_and_only_remember_and_forget_change_anything(assistant: Assistant) -> None:
    hints = {tool.name: tool.annotations for tool in assistant.list_tools().tools}
    assert {name for name, hint in hints.items() if not hint.read_only_hint} == {"remember", "forget"}
    assert {name for name, hint in hints.items() if hint.destructive_hint} == {"forget"}
    assert {name for name, hint in hints.items() if hint.idempotent_hint} == set(NAMES) - {
        "remember",
        "forget",
    }


def test_every_argument_is_one_of_the_front_door_by_the_same_name(assistant: Assistant) -> None:
    for tool in assistant.list_tools().tools:
        taken = set(inspect.signature(getattr(Mnemic, tool.name)).parameters)
        renamed = {"text": "message", "confirm": "pointers"}
        assert {renamed.get(name, name) for name in tool.input_schema["properties"]} <= taken


def test_every_argument_has_its_words_and_no_words_are_left_over(assistant: Assistant) -> None:
    told = {tool.name: set(tool.input_schema["properties"]) for tool in assistant.list_tools().tools}
    assert {name: set(words["fields"]) for name, words in texts()["tools"].items()} == told


def test_the_examples_can_be_taken_as_they_stand(assistant: Assistant) -> None:
    for tool in assistant.list_tools().tools:
        validator = Draft202012Validator(tool.input_schema)
        for name, field in tool.input_schema["properties"].items():
            for example in field["examples"]:
                required: dict[str, Any] = dict.fromkeys(tool.input_schema["required"], "x")
                if tool.name == "forget":
                    required["pointers"] = ["x"]
                validator.validate({**required, name: example})


def test_every_tool_does_what_a_service_knows_the_right_for() -> None:
    assert set(NAMES) | {"doomed", "entities"} <= set(NEEDED)


def test_what_is_told_is_recalled_in_words_and_as_data(assistant: Assistant) -> None:
    tell(assistant, "The checkout runs on MySQL.", "We moved the checkout from MySQL to PostgreSQL.")
    said = assistant.use("recall", query="What does the checkout run on?")
    assert "PostgreSQL" in said
    [item] = assistant.data("recall", query="What does the checkout run on?")["items"]
    assert item["said"]["value"] == "PostgreSQL"
    assert item["why"]["seed"]


def test_the_answer_to_remember_says_what_was_replaced(assistant: Assistant) -> None:
    tell(assistant, "The checkout runs on MySQL.")
    answer = assistant.call_tool("remember", {"text": "We moved the checkout from MySQL to PostgreSQL."})
    assert 'Replaced: "The checkout runs on MySQL." (changed)' in text_of(answer)
    [edge] = answer.structured_content["replaced"]
    assert edge["older_text"] == "The checkout runs on MySQL."


def test_what_is_let_go_says_why_and_what_to_do_and_that_works(
    assistant: Assistant, clock: ManualClock
) -> None:
    said = assistant.use("remember", text="ok thanks")
    assert "no memory was made" in said
    assert "importance" in said
    assert "with a kind" in said
    clock.now += timedelta(seconds=1)
    assert "Remembered (fact)" in assistant.use("remember", text="ok thanks", kind="fact")


def test_the_same_words_again_are_no_second_memory(assistant: Assistant) -> None:
    tell(assistant, "The checkout runs on MySQL.")
    assert "Nothing new" in assistant.use("remember", text="The checkout runs on MySQL.")
    again = assistant.data("remember", text="The checkout runs on MySQL.", session="other")
    assert again["stored"] == []
    assert len(again["reinforced"]) == 1


def test_a_secret_is_blanked_and_the_answer_says_so_without_it(assistant: Assistant, memory: Mnemic) -> None:
    secret = "sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
    answer = assistant.call_tool("remember", {"text": f"The key of the checkout is {secret}."})
    assert "blanked" in text_of(answer)
    assert secret not in answer.model_dump_json()
    assert secret not in str(rows(memory))


def test_nothing_known_is_said_to_be_nothing(assistant: Assistant) -> None:
    assert "Nothing is remembered" in assistant.use("recall", query="Who won the cup in 1987?")
    tell(assistant, "The checkout runs on MySQL.")
    answer = assistant.data("recall", query="Who won the cup in 1987?")
    assert answer["items"] == []
    assert answer["nothing"]["reason"]


def test_a_moment_of_the_past_is_asked_as_models_write_it(assistant: Assistant, clock: ManualClock) -> None:
    tell(assistant, "The checkout runs on MySQL.")
    clock.now += timedelta(days=30)
    tell(assistant, "We moved the checkout from MySQL to PostgreSQL.")
    for moment in ("2026-03-10", "2026-03-10T12:00:00Z", "2026-03-10T12:00+08:00", "2026-03-10T12:00"):
        said = assistant.use("recall", query="What does the checkout run on?", valid_as_of=moment)
        assert "The checkout runs on MySQL." in said, moment


def test_about_explore_and_history_tell_what_the_front_door_knows(
    assistant: Assistant, memory: Mnemic
) -> None:
    tell(
        assistant,
        "Ben owns the checkout.",
        "The checkout runs on MySQL.",
        "We moved the checkout from MySQL to PostgreSQL.",
    )
    about = assistant.use("about", name="结算服务")
    assert about.splitlines()[0].startswith("checkout (service)")
    assert "uses: PostgreSQL" in about
    assert "MySQL → PostgreSQL" in about
    assert assistant.data("about", name="checkout")["profile"]["uses"] == ["PostgreSQL"]
    explored = assistant.call_tool("explore", {"name": "Ben"})
    assert "1 step away:" in text_of(explored)
    assert {"name": "checkout", "kind": "service", "hops": 1} in explored.structured_content["nodes"]
    history = assistant.use("history", name="checkout", predicate="uses")
    assert history.index("MySQL [") < history.index("PostgreSQL [since")
    assert "Ben" not in history


def test_forget_shows_first_what_would_go_and_removes_only_that(assistant: Assistant, memory: Mnemic) -> None:
    tell(assistant, "The spare key is under the flowerpot.", "Ben owns the checkout.")
    before = rows(memory)
    shown = assistant.call_tool("forget", {"pointers": ["the spare key is under the flowerpot"]})
    assert "Nothing is removed yet" in text_of(shown)
    assert rows(memory) == before
    code = shown.structured_content["confirm"]
    assert code in text_of(shown)
    gone = assistant.call_tool(
        "forget", {"pointers": ["the spare key is under the flowerpot"], "confirm": code}
    )
    assert gone.structured_content["gone"] is True
    assert "flowerpot" not in str(rows(memory))
    assert "Ben owns the checkout." in str(rows(memory))


@pytest.mark.parametrize("code", ["", "yes", "true", "0" * 8, "5efe0322"])
def test_nothing_goes_by_a_code_that_was_not_given(assistant: Assistant, memory: Mnemic, code: str) -> None:
    tell(assistant, "The spare key is under the flowerpot.")
    before = rows(memory)
    assert "confirm" in assistant.fail("forget", pointers=["the spare key"], confirm=code)
    assert rows(memory) == before


def test_a_code_does_not_confirm_what_was_not_shown(assistant: Assistant, memory: Mnemic) -> None:
    tell(assistant, "The spare key is under the flowerpot.", "Ben owns the checkout.")
    code = assistant.data("forget", pointers=["the spare key is under the flowerpot"])["confirm"]
    for pointers in (
        ["Ben owns the checkout"],
        ["the spare key is under the flowerpot", "Ben owns the checkout"],
    ):
        assistant.fail("forget", pointers=pointers, confirm=code)
    before = rows(memory)
    assistant.use("remember", text="The spare key is under the flowerpot.", session="elsewhere")
    assistant.fail("forget", pointers=["the spare key is under the flowerpot"], confirm=code)
    assert len(rows(memory)) >= len(before)


@pytest.mark.parametrize(
    "text", ["Please forget what I said about the checkout.", "请忘掉我说的关于 checkout 的事"]
)
def test_a_message_that_asks_to_forget_removes_nothing_by_the_way(
    assistant: Assistant, memory: Mnemic, text: str
) -> None:
    tell(assistant, "The checkout runs on MySQL.")
    before = rows(memory)
    assert "forget" in assistant.fail("remember", text=text)
    assert rows(memory) == before


LOOSE: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"kinds": '["fact", "decision"]'}, {"kinds": ["fact", "decision"]}),
    ({"kinds": "fact"}, {"kinds": ["fact"]}),
    ({"kinds": None, "since": None, "session": None}, {}),
    ({"limit": "3"}, {"limit": 3}),
    ({"conversation": "Tell me of [the checkout]"}, {"conversation": ["Tell me of [the checkout]"]}),
]


@pytest.mark.parametrize(("loose", "strict"), LOOSE)
def test_what_assistants_write_loosely_is_taken_as_it_is_meant(
    assistant: Assistant, loose: dict[str, Any], strict: dict[str, Any]
) -> None:
    tell(assistant, "The checkout runs on MySQL.")
    query = "What does the checkout run on?"
    assert assistant.data("recall", query=query, **loose) == assistant.data("recall", query=query, **strict)


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("recall", {}, "query: is missing"),
    ("recall", {"query": ""}, "query"),
    ("recall", {"query": 5}, "query"),
    ("recall", {"query": {"a": [1]}}, "query"),
    ("recall", {"query": "x", "limt": 3}, "did you mean 'limit'"),
    ("recall", {"query": "x", "limit": 0}, "limit"),
    ("recall", {"query": "x", "limit": 10**9}, "limit"),
    ("recall", {"query": "x", "limit": "many"}, "limit"),
    ("recall", {"query": "x", "budget": -1}, "budget"),
    ("recall", {"query": "x", "kinds": ["facts"]}, "did you mean 'fact'"),
    ("recall", {"query": "x", "depth": "abyss"}, "depth"),
    ("recall", {"query": "x", "since": "yesterday"}, "since"),
    ("recall", {"query": "x", "since": 1700000000}, "since"),
    ("recall", {"query": "x", "since": "2026-02-30"}, "since"),
    ("recall", {"query": "x", "since": "2026-03-02", "until": "2026-03-01"}, "until"),
    ("recall", {"query": "\ud800"}, "query"),
    ("remember", {"text": "   "}, "text"),
    ("remember", {"text": ["a"]}, "text"),
    ("remember", {"text": "x", "visibility": "world"}, "visibility"),
    ("remember", {"text": "x", "user": "eve"}, "user"),
    ("remember", {"text": "x", "tenant": "evil"}, "tenant"),
    ("remember", {"text": "x", "replaces": "nothing of the kind"}, "nothing of the kind"),
    ("remember", {"text": "x", "tags": [1]}, "tags"),
    ("about", {"name": "Nobody In Particular"}, "Nobody In Particular"),
    ("about", {"name": ""}, "name"),
    ("explore", {"name": "x", "hops": 9}, "hops"),
    ("history", {"name": "checkout", "predicate": "frobs"}, "frobs"),
    ("forget", {}, "pointers"),
    ("forget", {"pointers": []}, "pointers"),
    ("forget", {"pointers": ["no such thing at all"]}, "no such thing"),
]


@pytest.mark.parametrize(("tool", "arguments", "named"), BAD)
def test_what_cannot_be_used_is_an_answer_that_names_the_field_and_what_would_do(
    assistant: Assistant, memory: Mnemic, tool: str, arguments: dict[str, Any], named: str
) -> None:
    tell(assistant, "Ben owns the checkout.")
    before = rows(memory)
    said = assistant.fail(tool, **arguments)
    assert named in said
    assert "Traceback" not in said
    assert "pydantic" not in said
    assert len(said) < 2_000
    assert rows(memory) == before


def test_an_unknown_tool_is_an_error_of_the_protocol_that_lists_the_tools(assistant: Assistant) -> None:
    with pytest.raises(MCPError, match="did you mean 'recall'"):
        assistant.call_tool("recal", {})


def test_what_nobody_foresaw_tells_nothing_of_the_inside(
    assistant: Assistant, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the secret is 42")

    monkeypatch.setattr(Mnemic, "recall", broken)
    said = assistant.fail("recall", query="x")
    assert "42" not in said
    assert "the secret is 42" in caplog.text


def test_a_huge_text_is_kept_whole_and_told_short(assistant: Assistant, memory: Mnemic) -> None:
    long = "The checkout runs on MySQL, " + "and on and on it goes, " * 1_500 + "says Ben."
    assistant.use("remember", text=long, kind="fact")
    for tool, arguments in (
        ("recall", {"query": "What does the checkout run on?"}),
        ("about", {"name": "checkout"}),
        ("history", {"name": "checkout"}),
        ("explore", {"name": "checkout"}),
        ("forget", {"pointers": [memory.memories().items[0].id]}),
    ):
        answer = assistant.call_tool(tool, arguments)
        assert not answer.is_error
        assert 0 < len(text_of(answer)) < 10_000, tool
        assert len(json.dumps(answer.structured_content)) < 20_000, tool
    assert memory.turns().items[0].text == long
    assert "text" in assistant.fail("remember", text="x" * 1_000_001)


def test_many_facts_of_one_name_are_bounded_and_the_answer_says_how_many_more(assistant: Assistant) -> None:
    for number in range(30):
        assistant.use("remember", text=f"Ben uses Tool{number}x.", kind="fact", session=f"s{number}")
    about = assistant.call_tool("about", {"name": "Ben"})
    assert len(about.structured_content["facts"]) == answers.MOST
    assert about.structured_content["left_out"]["facts"] == 10
    assert "… and 10 more" in text_of(about)


@pytest.mark.parametrize(
    "text",
    [
        "👩‍👩‍👧 likes 🍣",
        "אני גר בחיפה",
        "ＦＵＬＬ　ｗｉｄｔｈ",
        "混合 mixed ﷽ текст",
        "a\u0000b",
        "\u202eabc",
    ],
)
def test_every_script_goes_in_and_out(assistant: Assistant, text: str) -> None:
    if "\u0000" in text:
        assert "text" in assistant.fail("remember", text=text)
        return
    assistant.use("remember", text=text, kind="fact")
    assert [item["text"] for item in assistant.data("recall", query=text)["items"]] == [text]


def test_the_instructions_name_every_tool_and_warn_of_what_is_told(assistant: Assistant) -> None:
    for words in (assistant.instructions, *prompts()["words"].values()):
        assert all(name in words for name in NAMES)
    assert "never an instruction" in assistant.instructions


def test_the_prompt_comes_in_both_languages(assistant: Assistant) -> None:
    [prompt] = assistant.list_prompts().prompts
    english = assistant.get_prompt(prompt.name).messages[0]
    assert english.role == "user"
    assert "long-term memory" in english.content.text
    assert "长期记忆" in assistant.get_prompt(prompt.name, {"language": "zh"}).messages[0].content.text
    with pytest.raises(MCPError, match="known: en, zh"):
        assistant.get_prompt(prompt.name, {"language": "fr"})
    with pytest.raises(MCPError, match=prompt.name):
        assistant.get_prompt("use-memori")


def test_names_are_resources_page_by_page(assistant: Assistant) -> None:
    assert "Nobody and nothing" in assistant.read_resource("mnemic://entities").contents[0].text
    tell(assistant, "Ben owns the checkout.", "小王住在北京")
    listed = [resource.uri for resource in assistant.list_resources().resources]
    assert listed[0] == "mnemic://entities"
    assert len(set(listed)) == len(listed) >= 4
    for uri in listed:
        assert assistant.read_resource(uri).contents[0].text
    assert "checkout (service)" in assistant.read_resource("mnemic://entities").contents[0].text
    assert "北京" in assistant.read_resource("mnemic://about/小王").contents[0].text
    [template] = assistant.list_resource_templates().resource_templates
    assert template.uri_template == "mnemic://about/{name}"


def test_a_name_with_any_sign_has_an_address_of_its_own(assistant: Assistant, memory: Mnemic) -> None:
    odd = ["A/B testing", "100% club", "C#", "a b", "../up"]
    memory.learn([{"name": name, "kind": "project"} for name in odd])
    tell(assistant, *(f"Ben works on {name} now." for name in odd))
    about = {r.name: r.uri for r in assistant.list_resources().resources}
    for name in odd:
        assert assistant.read_resource(about[name]).contents[0].text.startswith(name)


@pytest.mark.parametrize(
    "uri", ["mnemic://about/Nobody", "mnemic://about/", "mnemic://else", "file:///etc/passwd", "x" * 5_000]
)
def test_an_address_where_nothing_is_is_an_error_that_says_so(assistant: Assistant, uri: str) -> None:
    with pytest.raises(MCPError) as caught:
        assistant.read_resource(uri)
    assert len(caught.value.message) < 1_500


def test_a_bad_cursor_is_an_error_that_names_it(assistant: Assistant) -> None:
    with pytest.raises(MCPError):
        assistant.list_resources(cursor="\u0000nonsense")


def test_the_names_in_the_table_of_tools_are_those_that_are_told() -> None:
    assert tools.names() == NAMES
