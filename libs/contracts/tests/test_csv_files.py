"""CSV that spreadsheets open: no value of a file is evaluated, whatever separates cells there."""

from __future__ import annotations

import csv
import io

import pytest
from portico_contracts.csv_files.text import cleaned, csv_line
from portico_contracts.csv_files.user_columns import body_of

HARMLESS = ["x", "a-b", "ada@mail.example", "x; y", "1+1", "5 - 3", "two\nlines"]
EVALUATED = ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "\n=1"]
EVALUATED_LATER = ["x;=1+1", "x; =1+1", 'x;"=1+1"', "x|+1", "x\t-1", "x\n@SUM(1)", "x\r\n=1", "x;y;=1", 'x\n"=1"']


def cells(line: str, separator: str) -> list[str]:
    """Separates as Excel does: a quotation mark counts only at the beginning of a cell."""
    return [cell for row in csv.reader(io.StringIO(line, newline=""), delimiter=separator) for cell in row]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("value", [*EVALUATED, *EVALUATED_LATER, *HARMLESS])
def test_no_cell_is_a_formula(value: str, separator: str) -> None:
    """Where the comma is a decimal mark, a spreadsheet separates cells at semicolons, also within a value."""
    found = cells(csv_line(["first", value, "last"]), separator)

    assert [cell for cell in found if cell.lstrip(' "\t\r\n').startswith(("=", "+", "-", "@"))] == []


@pytest.mark.parametrize("value", ["=1+1", "x;=1+1", 'x;"=1+1"', "x\n@SUM(1)", "x;y;=1", *HARMLESS])
def test_exported_value_is_read_as_it_was(value: str) -> None:
    [_, read] = next(csv.reader(io.StringIO(csv_line(["first", value]), newline="")))

    assert cleaned(read) == value


@pytest.mark.parametrize("value", HARMLESS)
def test_other_values_are_written_as_they_are(value: str) -> None:
    assert "'" not in csv_line([value])


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("+41 44 123 45 67", "+41441234567"),
        ("+41 (0)44 / 123-45.67", "+41441234567"),
        ("0041\N{NO-BREAK SPACE}44 123\N{EN DASH}45", "+414412345"),
        ("044 123 45 67", "044 123 45 67"),
        ("+41 ext. 7", "+41 ext. 7"),
    ],
)
def test_phone_numbers_are_read_as_people_write_them(written: str, stored: str) -> None:
    """A number without a country is not guessed, and its row is refused as it is written."""
    body = body_of({"email": "ada@x.example", "name": "Ada", "phone": written}, verified=False)

    assert body["phone"] == {"phone": stored}
