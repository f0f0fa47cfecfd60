"""The rows of an import, line by line."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import islice

from portico_cli import import_file
from portico_cli.import_file import KnownNames, Line, batches, read_lines


def test_rows_are_counted_as_editors_count() -> None:
    """Empty lines are no rows; a byte order mark is no text; the last line needs no end."""
    file = io.BytesIO(b'\xef\xbb\xbf{"a": 1}\r\n\n  \n{"b": 2}')

    assert list(read_lines(file)) == [Line(1, '{"a": 1}'), Line(4, '{"b": 2}')]


def test_what_cannot_be_asked_about_does_not_stop_the_rest() -> None:
    """A row that is too long, and one that is no text (RX-05)."""
    file = io.BytesIO(b"x" * (import_file.LONGEST + 1) + b"\n\xff\n{}\n")
    found = list(read_lines(file))

    assert [(line.number, line.text, bool(line.problem)) for line in found] == [
        (1, "", True),
        (2, "", True),
        (3, "{}", False),
    ]


def test_portions_are_bounded_in_rows_and_bytes() -> None:
    """No more than 100 rows and 4 MiB; a row is never cut."""
    many = list(batches(Line(number, "{}") for number in range(250)))
    large = list(batches(Line(number, "x" * 1_500_000) for number in range(5)))

    assert [len(batch) for batch in many] == [100, 100, 50]
    assert [len(batch) for batch in large] == [2, 2, 1]


def test_no_more_is_read_than_requested() -> None:
    """A file of any length: the first portion needs one row more than itself."""
    given = 0

    def endless() -> Iterator[Line]:
        nonlocal given
        while True:
            given += 1
            yield Line(given, "{}")

    list(islice(batches(endless()), 1))

    assert given == import_file.ROWS + 1


def test_a_row_does_not_show_itself() -> None:
    """It may hold a password (IN-09)."""
    assert "canary" not in repr(Line(1, "canary"))


def test_a_name_is_met_twice_in_any_spelling() -> None:
    """The line that had the name first is named."""
    seen = KnownNames()

    assert [seen.line_of("Ada", 1), seen.line_of("bob", 2), seen.line_of("aDA", 3)] == [1, 2, 1]
