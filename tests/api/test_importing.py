import gzip
import hashlib
import io
import json
import tracemalloc
from collections.abc import Iterator
from datetime import timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.api import importing
from mnemic.api.importing import BadLine, Row, read_lines, read_log
from mnemic.errors import InvalidInput

CST = timezone(timedelta(hours=8))
CHAT = "2026-03-02 10:00 Tom: hi\n2026-03-02 10:00 Tom: hi\n2026-03-03 09:00 林悦：早\n"


def read(log: str | bytes, *, owner: str = "ada", source: str = "chat.txt") -> list[Row | BadLine]:
    raw = log.encode() if isinstance(log, str) else log
    return list(read_log(io.BytesIO(raw), owner=owner, source=source, default_offset=CST))


def rows(log: str | bytes, **options: str) -> list[Row]:
    found = read(log, **options)
    assert not [each for each in found if isinstance(each, BadLine)]
    return [each for each in found if isinstance(each, Row)]


def bad(log: str | bytes) -> list[tuple[int, int, str]]:
    return [(each.line, each.last, each.reason) for each in read(log) if isinstance(each, BadLine)]


def texts(log: str | bytes) -> list[str]:
    return [each.message["content"] for each in read(log) if isinstance(each, Row)]


def ids(log: str | bytes, **options: str) -> list[str]:
    return [row.message["id"] for row in rows(log, **options)]


def test_a_line_that_starts_no_message_continues_the_one_before() -> None:
    log = "2026-03-02 10:00 Tom: shopping\n- milk\n\n  - oat\n2026-03-02 10:01 林悦：好\n"
    assert texts(log) == ["shopping\n- milk\n\n  - oat", "好"]


def test_a_message_may_begin_on_the_line_after_its_head() -> None:
    assert texts("2026-03-02 10:00 Tom:\nhello\n") == ["hello"]


def test_a_message_without_a_word_is_bad() -> None:
    assert bad("2026-03-02 10:00 Tom:\n\n2026-03-02 10:00 Tom: x") == [
        (1, 1, "content: is empty; say something")
    ]


def test_an_impossible_time_is_reported_by_its_line_and_the_rest_is_read() -> None:
    log = "2026-03-02 10:00 Tom: a\n2026-03-03 25:71 Tom: b\nand more of b\n2026-03-03 09:40 Tom: c\n"
    [(line, last, reason)] = bad(log)
    assert (line, last) == (2, 3)
    assert "25:71" in reason
    assert texts(log) == ["a", "c"]


def test_lines_without_a_message_before_them_are_bad() -> None:
    log = "\nhello\nthere\n2026-03-03 09:40 Tom: c\n"
    assert [found[:2] for found in bad(log)] == [(2, 3)]
    assert texts(log) == ["c"]


def test_messages_go_to_one_session_for_each_day_of_the_file() -> None:
    assert [row.message["session"] for row in rows(CHAT, source="logs/march.txt")] == [
        "march-2026-03-02",
        "march-2026-03-02",
        "march-2026-03-03",
    ]


def test_a_session_that_is_asked_for_is_that_of_all_that_name_none() -> None:
    log = '{"role": "user", "content": "a", "session": "own"}\n{"role": "user", "content": "b"}\n'
    found = read_log(io.BytesIO(log.encode()), owner="ada", source="x.jsonl", session="given")
    assert [each.message["session"] for each in found if isinstance(each, Row)] == ["own", "given"]


def test_the_speaker_called_assistant_is_the_assistant() -> None:
    [row] = rows("2026-03-02 10:00 Assistant: noted")
    assert row.message["role"] == "assistant"


def test_jsonl_keeps_its_own_ids_sessions_and_offsets() -> None:
    line = {"role": "user", "content": "hi", "name": "Tom", "id": 7, "at": "2026-03-02T10:00:00-05:00"}
    [row] = rows(json.dumps(line | {"session": "s", "extra": None}))
    assert row.message["id"] == "7"
    assert row.message["session"] == "s"
    assert row.message["at"].utcoffset() == -timedelta(hours=5)


def test_a_time_without_offset_gets_the_default_one() -> None:
    [row] = rows('{"role": "user", "content": "hi", "at": "2026-03-02 10:00"}')
    assert row.message["at"].utcoffset() == timedelta(hours=8)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"role": "user", "content": ', "no JSON"),
        ('{"role": "user", "content": 3}', "content: is int"),
        ('{"role": "user"}', "content: is NoneType"),
        ('{"role": "user", "content": " "}', "content: is empty"),
        ('{"role": "robot", "content": "x"}', "role: unknown name 'robot'"),
        ('{"role": "user", "content": "x", "at": "yesterday"}', "at: 'yesterday' is no ISO 8601"),
        ('{"role": "user", "content": "x", "at": 3}', "at: is int"),
        ('{"role": "user", "content": "x", "at": "0001-01-01T00:00:00+08:00"}', "outside the calendar"),
        ('{"role": "user", "content": "x", "name": 3}', "name: 3 is no name"),
        ('{"role": "user", "content": "x", "id": {}}', "id: {} is no id"),
        ('{"role": "user", "content": "x", "id": true}', "id: True is no id"),
        ('{"role": "user", "content": "x", "mood": "good"}', "mood: unknown name"),
        ('{"role": "user", "content": "\\ud800"}', "surrogate"),
        ('["user", "x"]', "is no object"),
        ('{"a":' * 100_000, "no JSON"),
    ],
)
def test_a_bad_line_of_jsonl_is_reported_with_its_reason_and_the_rest_is_read(line: str, says: str) -> None:
    good = '{"role": "user", "content": "good"}'
    log = f"{good}\n{line}\n\n{good}\n"
    [(number, _, reason)] = bad(log)
    assert number == 2
    assert says in reason
    assert texts(log) == ["good", "good"]


def test_a_json_array_is_told_what_would_do() -> None:
    [(_, _, reason)] = bad('[\n{"role": "user"}\n]')
    assert "one object a line" in reason


def test_an_id_that_names_two_messages_is_bad_but_a_repeated_message_is_not() -> None:
    first = '{"role": "user", "content": "a", "id": "x"}\n'
    assert [found[0] for found in bad(first + first + first.replace('"a"', '"b"'))] == [3]


def test_utf8_is_read_with_and_without_a_byte_order_mark() -> None:
    assert texts(b"\xef\xbb\xbf" + CHAT.encode()) == texts(CHAT) == ["hi", "hi", "早"]


def test_windows_line_ends_are_no_part_of_a_message() -> None:
    assert texts(CHAT.replace("\n", "\r\n")) == ["hi", "hi", "早"]


def test_a_line_in_another_encoding_is_reported_by_its_number() -> None:
    log = b"2026-03-02 10:00 Tom: hi\n" + "2026-03-02 10:01 林悦：早\n".encode("gb18030")
    [(line, _, reason)] = bad(log)
    assert line == 2
    assert "UTF-8" in reason
    assert texts(log) == ["hi"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_a_file_in_utf16_is_refused_naming_file_and_line(encoding: str) -> None:
    raw = ("\ufeff" if encoding == "utf-16-be" else "") + CHAT
    with pytest.raises(InvalidInput, match=r"chat\.txt, line 1: is UTF-16"):
        read(raw.encode(encoding))


def test_equal_messages_get_ids_of_their_own() -> None:
    assert len(set(ids(CHAT))) == 3


def test_ids_stay_when_the_file_grows_or_is_renamed_or_says_its_times_otherwise() -> None:
    assert ids(CHAT + "2026-03-03 09:01 Tom: new\n", source="other.txt")[:3] == ids(CHAT)
    assert ids("2026-03-02T02:00Z Tom: hi\n") == ids(CHAT)[:1]


def test_ids_of_two_owners_differ() -> None:
    assert not set(ids(CHAT, owner="ada")) & set(ids(CHAT, owner="tom"))


@given(st.lists(st.sampled_from(["hi", "ok", "早"]), max_size=30), st.integers(0, 30))
def test_the_beginning_of_a_log_has_the_ids_that_it_has_in_the_whole(said: list[str], cut: int) -> None:
    lines = [json.dumps({"role": "user", "content": word}) for word in said]
    whole, part = ids("\n".join(lines)), ids("\n".join(lines[:cut]))
    assert whole[:cut] == part
    assert len(set(whole)) == len(whole)


def test_an_endless_line_is_bad_and_never_held_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "LINE_BYTES", 1000)
    log = io.BytesIO(b"x" * 100_000 + b"\n2026-03-02 10:00 Tom: hi\n")
    told: list[int] = []
    lines = list(read_lines(log, told.append))
    assert [len(line) for line in lines] == [1001, 25]
    assert sum(told) == 100_026


def test_a_message_longer_than_allowed_is_bad() -> None:
    log = "2026-03-02 10:00 Tom: x\n" + "y" * 999_999 + "\n2026-03-02 10:01 Tom: z\n"
    assert [(line, last) for line, last, _ in bad(log)] == [(1, 2)]
    assert texts(log) == ["z"]


def test_reading_takes_the_same_memory_however_long_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "_REMEMBERED", 100)

    def lines(count: int) -> Iterator[bytes]:
        return (f"2026-03-02 10:00 Tom: message {number}\n".encode() for number in range(count))

    def peak(count: int) -> int:
        tracemalloc.start()
        for _ in read_log(lines(count), owner="ada", source="x.txt", default_offset=CST):
            pass
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    peak(100)
    assert peak(1500) < 1.2 * peak(500)


@given(st.binary(max_size=200), st.booleans())
def test_no_bytes_break_the_reader(noise: bytes, is_jsonl: bool) -> None:
    log = (b'{"role": "user", "content": "x"}\n' if is_jsonl else b"2026-03-02 10:00 Tom: x\n") + noise
    read(log)


FOREIGN: dict[str, tuple[bytes, str, str]] = {
    "export": (b'{"type": "turn", "id": "t1", "text": "hi"}\n', "export of mnemic", "mnemic backup"),
    "exported array": (b'[{"type": "entity", "id": "e1"},\n', "export of mnemic", "mnemic backup"),
    "archive": (gzip.compress(b"hi"), "gzip", "mnemic restore"),
    "unpacked archive": (b'{"mnemic": 1, "embedder": "", "dimension": 0}\n', "archive of", "mnemic restore"),
    "store": (b"SQLite format 3\x00\x10\x00", "a store", "mnemic copy"),
    "zip": (b"PK\x03\x04\x14", "zip archive", "unpack"),
    "PDF": (b"%PDF-1.4\n%\xe2\xe3", "PDF", "UTF-8 text"),
    "image": (b"\x89PNG\r\n\x1a\n\x00\x00", "binary", "JSONL"),
    "tar": (b"chat.txt" + bytes(500) + b"2026-03-02 10:00 Tom: hi\n", "binary", "JSONL"),
    "noise": (hashlib.shake_128(b"noise").digest(3000), "binary", "JSONL"),
}


@pytest.mark.parametrize(("raw", "what", "takes"), FOREIGN.values(), ids=FOREIGN)
def test_what_is_no_log_is_refused_as_a_whole_with_what_takes_it(raw: bytes, what: str, takes: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read(raw)
    assert caught.value.field == "chat.txt, line 1"
    assert what in caught.value.problem
    assert takes in caught.value.fix


def test_a_text_with_colours_for_a_terminal_is_no_binary_data() -> None:
    with_colours = "2026-03-02 10:00 Tom: \x1b[1mhi\x1b[0m\ttabs\n"
    assert texts(with_colours) == ["\x1b[1mhi\x1b[0m\ttabs"]


def test_parts_and_calls_of_tools_are_read() -> None:
    spoken = '{"role": "user", "content": [{"type": "text", "text": "hi"}, {"type": "image_url"}]}\n'
    called = '{"role": "assistant", "content": null, "tool_calls": [{"id": "c1"}]}\n'
    found = rows(spoken + called + called)
    assert len({row.message["id"] for row in found}) == 3
    assert ids(spoken) == ids('{"role": "user", "content": "hi"}\n')
