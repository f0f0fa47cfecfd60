from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from .converting import convert, rows

HASH = "{SSHA}DkMTwBl+a/3DfY+MZDTEMBlFgNJkpBhN"
ADA = f"""dn: uid=ada,ou=people,dc=acme,dc=example
objectClass: inetOrgPerson
uid: ada
cn: Ada Byron
givenName: Ada
sn: Byron
mail: ada@acme.example
entryUUID: 5f0c1a3e-0000-4000-8000-000000000001
userPassword:: {base64.b64encode(HASH.encode()).decode()}
"""


def converted(folder: Path, text: str) -> Result:
    file = folder / "people.ldif"
    file.write_text(text)
    return convert("ldif", file)


def test_directory_becomes_rows(tmp_path: Path) -> None:
    """Rows have the hash of the password; folded lines and encoded names are read (RFC 2849), and comments are skipped."""
    cn = base64.b64encode("Bóth Names".encode()).decode()
    bob = f"dn: uid=bob,ou=pe\n ople\n# a comment\n  of two lines\nOBJECTCLASS: account\nUID: bob\nmail: bob@acme.ex\n ample\ncn:: {cn}\n"
    result = converted(tmp_path, f"version: 1\n\ndn: dc=acme\nobjectClass: top\nobjectClass: domain\n\n{ADA}\n\n{bob}")

    assert rows(result) == [
        {
            "userId": "5f0c1a3e-0000-4000-8000-000000000001",
            "username": "ada",
            "profile": {"firstName": "Ada", "lastName": "Byron"},
            "email": {"email": "ada@acme.example", "isVerified": False},
            "hashedPassword": {"hash": HASH},
        },
        {
            "username": "bob",
            "profile": {"firstName": "Bóth", "lastName": "Names"},
            "email": {"email": "bob@acme.example", "isVerified": False},
        },
    ]
    assert "  1 x note: entries without a person: domain" in result.stderr


def test_telephone_number_is_dialled(tmp_path: Path) -> None:
    """Directories store spaces in it (RFC 4517 section 3.3.31), which an import of users would refuse."""
    [row] = rows(converted(tmp_path, f"{ADA}telephoneNumber: +1 408 555 1862\n"))

    assert row["phone"] == {"phone": "+14085551862", "isVerified": False}


@pytest.mark.parametrize(
    ("names", "profile"),
    [
        ("cn: Ada\nsn: Lovelace", {"firstName": "Ada", "lastName": "Lovelace", "displayName": "Ada"}),
        ("cn: Ada Lovelace\nsn: Lovelace", {"firstName": "Ada", "lastName": "Lovelace"}),
        ("cn: Madonna\nsn: Madonna", {"firstName": "Madonna"}),
    ],
)
def test_last_name_is_kept_without_a_given_name(tmp_path: Path, names: str, profile: dict[str, str]) -> None:
    """`cn` may be the first name alone, and of people with one name `sn` repeats it."""
    entry = f"dn: uid=ada\nobjectClass: inetOrgPerson\nuid: ada\nmail: ada@acme.example\n{names}\n"

    assert [row["profile"] for row in rows(converted(tmp_path, entry))] == [profile]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("employeeNumber: 7", "people.ldif:1: ada: not converted: an unsupported member (employeenumber)"),
        ("mail: second@acme.example", "ada: not converted: a second value (mail: second@acme.example)"),
        ("memberOf: cn=staff", "ada: not converted: groups (cn=staff)"),
        ("jpegPhoto:: /9j/4A==", "people.ldif:10: not converted: a value that is not text (jpegPhoto)"),
        ("jpegPhoto:< file:///etc/passwd", "people.ldif:10: not converted: a value in another file (jpegPhoto)"),
        ("title: ${TITLE}", "ada: not converted: an unsupported member (title)"),
        ("displayName: ${NAME}", "people.ldif:10: ada: not converted: a placeholder instead of a value"),
    ],
)
def test_what_is_not_converted_is_named(tmp_path: Path, line: str, told: str) -> None:
    assert told in converted(tmp_path, f"{ADA}{line}\n").stderr


@pytest.mark.parametrize(
    "line",
    ["nsAccountLock: TRUE", "pwdAccountLockedTime: 000001010000Z", "userAccountControl: 514"],
)
def test_locked_entry_becomes_no_row(tmp_path: Path, line: str) -> None:
    """An import creates active users, so a locked one is omitted."""
    result = converted(tmp_path, f"{ADA}{line}\n")

    assert result.stdout == ""
    assert "ada: skipped: disabled at the source" in result.stderr


@pytest.mark.parametrize(
    ("password", "row"),
    [
        ("{CRYPT}$6$salt$hash", {"hashedPassword": {"hash": "{CRYPT}$6$salt$hash"}}),
        ("a-plain-password", {"password": {"password": "a-plain-password"}}),
        ("{CRYPT}$y$j9T$salt$hash", {}),
        ("{CRYPT}rl0uE0uWdNPzg", {}),
        ("{SASL}ada@REALM", {}),
        ("${SECRET}", {}),
    ],
)
def test_password_of_an_entry(tmp_path: Path, password: str, row: dict[str, Any]) -> None:
    """Hashes that the import refuses are named, so that the user is imported without one."""
    result = converted(tmp_path, ADA.partition("userPassword")[0] + f"userPassword: {password}\n")
    [found] = rows(result)

    assert {name: found[name] for name in found if "assword" in name} == row
    assert ("not converted: a p" in result.stderr) is (not row)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": 1}', "people.ldif:1: This line is not LDIF"),
        (f"{ADA}\nuid: bob\n", "people.ldif:11: This line is not LDIF"),
        ("dn: uid=a\nchangetype: delete\n", "people.ldif:2: This is a list of changes"),
        ("dn:: %%%\n", "people.ldif:1: This value is not base64."),
        ("", "people.ldif: The file has no entries: it is not LDIF."),
    ],
)
def test_other_files_are_refused_with_their_line(tmp_path: Path, text: str, told: str) -> None:
    result = converted(tmp_path, text)

    assert result.exit_code == 1
    assert told in result.stderr
