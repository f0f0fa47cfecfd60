"""A JSON document read value by value, in arbitrary chunks."""

from __future__ import annotations

import io
from itertools import product
from typing import Any

import pytest
from portico_conversion.findings import Place, SourceError
from portico_conversion.reading import json_stream
from portico_conversion.reading.json_stream import JsonStream

DOCUMENT = """\ufeff
{"skipped": {"a": [1, {"b": "}]"}], "c": -1.5e3}, "number": 12345, "empty": [], "none": {},
 "items": [ "\\u00e4\\\\\\"" ,
  {"deep": [true, false, null]}, 10
 ], "last": "x" } """.removeprefix("\ufeff")


class Slow(io.StringIO):
    def __init__(self, text: str, portion: int) -> None:
        super().__init__(text)
        self._batch = portion

    def read(self, size: int | None = -1, /) -> str:
        return super().read(min(self._batch, size or 0) if size and size > 0 else self._batch)


def visited(stream: JsonStream) -> list[tuple[str, int, Any]]:
    """Returns every member with its line: items one by one, others as a whole, and the size of a skipped one."""
    found: list[tuple[str, int, Any]] = []
    for name in stream.members():
        if name == "items":
            for _ in stream.items():
                line = stream.place.line
                found.append((name, line, stream.value()))
        else:
            line = stream.place.line
            found.append((name, line, stream.skip() if name in {"skipped", "empty", "none"} else stream.value()))
    stream.end()
    return found


@pytest.mark.parametrize("portion", [1, 2, 3, 7, 1000])
def test_values_do_not_depend_on_chunk_boundaries(portion: int) -> None:
    """Texts, numbers and literals split across chunks are read whole, with the line of their start."""
    assert visited(JsonStream(Slow(DOCUMENT, portion), "a")) == [
        ("skipped", 2, 2),
        ("number", 2, 12345),
        ("empty", 2, 0),
        ("none", 2, 0),
        ("items", 3, 'ä\\"'),
        ("items", 4, {"deep": [True, False, None]}),
        ("items", 4, 10),
        ("last", 5, "x"),
    ]


INVALID = (
    ('{"a": 1,}', 1),
    ('{"a"\n1}', 2),
    ('{"a": \n[1 2]}', 2),
    ('{"a": tru}', 1),
    ('{"a":\n\n {"b": "c}', 3),
    ('{"a": 1}\n\n1', 3),
    ("{", 1),
    ('{"a": [1', 1),
    ('{"a": "\\x"}', 1),
    ('{"a": "\t"}', 1),
    ('{"a":\n "\\ud83e"}', 2),
    ('{"a": {\n "\\udd8a": 1}}', 1),
)
"""Texts, and the lines of their errors."""


def test_invalid_json_is_refused_with_its_line() -> None:
    """Invalid JSON is refused with its line, even when a chunk boundary hides the error at first."""
    for (text, line), portion in product(INVALID, (1, 5, 1000)):
        assert refusal(text, portion).startswith(f"{Place('a', line)}: "), (text, portion)


def refusal(text: str, portion: int) -> str:
    try:
        visited(JsonStream(Slow(text, portion), "a"))
    except SourceError as error:
        return str(error)
    return ""


def test_value_size_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text without an end takes no more memory than the maximum value size."""
    monkeypatch.setattr(json_stream, "LONGEST", 100_000)
    with pytest.raises(SourceError, match="too long"):
        JsonStream(io.StringIO('"' + "x" * 1_000_000), "a").value()
