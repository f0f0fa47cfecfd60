from __future__ import annotations

import io
import json

import pytest
from portico_cli.user_import.csv_rows import CsvError, read_csv
from portico_cli.user_import.lines import Line


def lines(data: bytes) -> list[Line]:
    return list(read_csv(io.BufferedReader(io.BytesIO(data)), (), verified=False).lines)


def users(found: list[Line]) -> list[str]:
    return [json.loads(line.text)["email"]["email"] for line in found if line.text]


@pytest.mark.parametrize("rest", ["Bob,bob@x.example,\n" * 3, "Bob,bob@x.example,\n" * 20_000])
def test_quotation_mark_without_an_end_is_reported(rest: str) -> None:
    """The rows after it would be one value of a column that is not imported, and be lost without a message."""
    found = lines(f'Name,Email,Notes\nAda,ada@x.example,"likes "tea"\nEve,eve@x.example,"no end\n{rest}'.encode())

    assert users(found) == ["ada@x.example"]
    assert [line.number for line in found] == [2, 3]
    assert "The rows after it are not read." in found[1].problem


def test_quotation_mark_without_an_end_in_the_titles_is_refused() -> None:
    with pytest.raises(CsvError, match=r"The line of titles is not CSV: a quotation mark has no end\."):
        lines(b'Name,"Email\nAda,ada@x.example\n')


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\r\n\r\n"])
def test_quoted_value_may_end_the_file(end: str) -> None:
    """Line breaks of every kind are read, also in a value."""
    found = lines(f'Name,Email\r\n"Ada\r\nByron","ada@x.example"{end}'.encode())

    assert users(found) == ["ada@x.example"]


def test_row_with_more_values_than_titles_is_reported() -> None:
    """A separator in a value without quotation marks moves all values after it to other columns."""
    found = lines(b"Name,Email\nByron, Ada,ada@x.example\nBob,bob@x.example,,\n")

    assert users(found) == ["bob@x.example"]
    assert found[0].number == 2
    assert "more values than there are titles" in found[0].problem


def test_late_characters_of_another_encoding_are_reported() -> None:
    """The encoding is guessed from the beginning: such a name would be stored with replacement characters."""
    many = b"".join(b"Ada,ada%d@x.example,\n" % number for number in range(4_000))
    found = lines(b"Name,Email,Notes\n" + many + b"M\xfcller,m@x.example,\nBob,bob@x.example,M\xfcll\n")

    assert users(found)[-1] == "bob@x.example"
    assert [(line.number, line.problem) for line in found if not line.text] == [
        (4_002, "This row contains characters of another encoding: save the file as UTF-8.")
    ]


def test_row_is_limited_in_bytes() -> None:
    """The limit counts bytes, like that of the management API."""
    value = "\N{GRINNING FACE}" * 131_000
    text = f"Email,Name,First name,Last name,User name,Password hash,Phone\na@x.example{f',{value}' * 5},\n"

    assert [line.problem for line in lines(text.encode())] == ["This row is longer than 2 MiB."]


def test_table_of_wordpress_is_recognized() -> None:
    """The titles of its table of users are recognized without an option."""
    [line] = lines(b"ID,user_login,user_pass,user_email,display_name\n7,ada,$P$Babc,ada@x.example,Ada Byron\n")

    assert json.loads(line.text) == {
        "username": "ada",
        "profile": {"givenName": "Ada", "familyName": "Byron"},
        "email": {"email": "ada@x.example"},
        "hashedPassword": {"hash": "$P$Babc"},
    }


@pytest.mark.parametrize(
    ("titles", "told"),
    [
        ("Last name,Email", "No column is recognized as the name. The columns are: Last name, Email."),
        ("Who,Email", "No column is recognized as the name. The columns are: Who, Email. Add --column TITLE=FIELD."),
        ("Name,Address", "No column is recognized as the email address. The columns are: Name, Address."),
        ("A,B", "No column is recognized as the email address or the name. The columns are: A, B."),
    ],
)
def test_message_names_the_missing_column(titles: str, told: str) -> None:
    with pytest.raises(CsvError) as refused:
        lines(f"{titles}\na,b\n".encode())

    assert told in str(refused.value)
