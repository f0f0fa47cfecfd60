from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import islice

import pytest
from portico_cli.user_import import lines
from portico_cli.user_import.lines import KnownNames, Line, batches, other_format, read_lines


def test_rows_are_numbered_as_in_editors() -> None:
    """Empty lines are not rows, a byte order mark is skipped, and the last line needs no newline."""
    file = io.BytesIO(b'\xef\xbb\xbf{"a": 1}\r\n\n  \n{"b": 2}')

    assert list(read_lines(file)) == [Line(1, '{"a": 1}'), Line(4, '{"b": 2}')]


def test_unreadable_rows_do_not_stop_the_rest() -> None:
    """A row that is too long or not text is reported, and the rest is read (RX-05)."""
    file = io.BytesIO(b"x" * (lines.LONGEST + 1) + b"\n\xff\n{}\n")
    found = list(read_lines(file))

    assert [(line.number, line.text, bool(line.problem)) for line in found] == [
        (1, "", True),
        (2, "", True),
        (3, "{}", False),
    ]


def test_batches_are_limited_in_rows_and_bytes() -> None:
    """A batch has at most 100 rows and 4 MiB, and a row is never split."""
    many = list(batches(Line(number, "{}") for number in range(250)))
    large = list(batches(Line(number, "x" * 1_500_000) for number in range(5)))

    assert [len(batch) for batch in many] == [100, 100, 50]
    assert [len(batch) for batch in large] == [2, 2, 1]


def test_no_extra_row_is_read() -> None:
    """A file is read lazily: the first batch needs its own rows only."""
    given = 0

    def endless() -> Iterator[Line]:
        nonlocal given
        while True:
            given += 1
            yield Line(given, "{}")

    list(islice(batches(endless()), 1))

    assert given == lines.ROWS


def test_row_repr_hides_its_content() -> None:
    """A row's repr shows no content, because it may hold a password (IN-09)."""
    assert "canary" not in repr(Line(1, "canary"))


def test_duplicate_name_is_found_in_any_spelling() -> None:
    """A duplicate name in any spelling is reported with the line of its first occurrence."""
    seen = KnownNames()

    assert [seen.line_of(name, number) for number, name in enumerate(("Ada", "bob", "aDA", "Straße", "ＡＤＡ", "STRASSE"))] == [
        0, 1, 0, 3, 0, 3,
    ]  # fmt: skip


def test_duplicate_id_is_found() -> None:
    """Ids are compared by code point, apart from names; a row without one has none of another row."""
    seen = KnownNames()
    seen.line_of("ada", 1)

    assert [seen.line_of_id(id, number) for number, id in ((1, "ada"), (2, ""), (3, ""), (4, "Ada"), (5, "ada"))] == [
        1, 2, 3, 4, 1,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("start", "said"),
    [
        ("[\n  {\n", "Each line"),
        ('[{"username": "a"}]', "Each line"),
        ("\n{\n  ", "Each line"),
        ("First name;Email\nAda;ada@x.example\n", "--csv"),
        ('{"username": "a"}\n', ""),
        ('not JSON\n  {"username": "a"}\n', ""),
        ("x" * 100, ""),
        ("", ""),
    ],
)
def test_other_format_is_named(start: str, said: str) -> None:
    """A file of JSON lines with some wrong ones is none, nor is a line whose end is not read yet."""
    reason = other_format(start)

    assert bool(reason) == bool(said)
    assert said in reason
