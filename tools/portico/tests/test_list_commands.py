"""Lists as CSV and JSON, and users from CSV, by the command line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result
from portico_cli.cli import main
from portico_contracts.apply import Document, EndUser, Organization
from portico_contracts.users import (
    EXPORT,
    IMPORT_USERS,
    Export,
    Exported,
    ExportPart,
    ImportUsers,
    RowOutcome,
    UsersImported,
)
from portico_fakes.fake_service import FakeService
from portico_harness.servers import RunningNats

pytestmark = pytest.mark.servers


class Users(FakeService):
    def __init__(self, nats: RunningNats) -> None:
        super().__init__(nats, "users", EXPORT, Export())
        self.bus.respond(EXPORT, self._export)
        self.bus.respond(IMPORT_USERS, self._import)
        self.rows: list[str] = []

    async def _export(self, question: Export) -> Exported:
        self.asked.append(question)
        if not question.org_id:
            return Exported(document=Document(default_organization="acme"), org_ids=("acme",))
        profile, email = {"firstName": "A", "lastName": "B"}, {"email": "a@a.example"}
        name = "bob" if question.after else "ada"
        grants = [{"project": "p1", "roleKeys": ["r"], "organization": granter} for granter in ("", "globex")]
        human = msgspec.convert({"id": name, "profile": profile, "email": email, "grants": grants}, EndUser)
        org = Organization(name="Acme", id="acme", humans=(human,))
        return Exported(document=Document(organizations=(org,)), notes=(), after="" if question.after else "ada")

    async def _import(self, question: ImportUsers) -> UsersImported:
        self.rows += question.rows
        names = [json.loads(text)["email"]["email"] for text in question.rows]
        return UsersImported(rows=tuple(RowOutcome(status="created", user_name=name) for name in names))


@pytest.fixture
def users(nats_server: RunningNats) -> Iterator[Users]:
    one = Users(nats_server)
    one.start()
    yield one
    one.stop()


@pytest.fixture
def portico(users: Users, nats_server: RunningNats) -> Any:
    login = {"PORTICO_BUS_URL": nats_server.url, "PORTICO_BUS_PASSWORD": nats_server.password("operator")}

    def run(*arguments: str | Path, typed: str = "") -> Result:
        return CliRunner().invoke(main, [str(one) for one in arguments], input=typed, env=login)

    return run


def test_list_is_exported_from_all_its_parts(users: Users, portico: Any, tmp_path: Path) -> None:
    """A list is CSV for spreadsheets, or an array of JSON; it requests its own part alone, which users of 0.3 ignores."""
    file = tmp_path / "users.csv"
    portico("export", "--list", "users", "--output", file)
    listed = list(csv.DictReader(io.StringIO(file.read_text("utf-8-sig"), newline="")))
    users_as_json = json.loads(portico("export", "--list", "users", "--format", "json").stdout)
    projects = portico("export", "--list", "projects", "--format", "json").stdout

    assert [(one.after, one.parts) for one in users.asked if one.org_id][:3] == [
        ("", (ExportPart.HUMANS,)),
        ("ada", (ExportPart.HUMANS,)),
        ("", (ExportPart.HUMANS,)),
    ]
    assert users.asked[-1].parts == (ExportPart.PROJECTS,)
    assert [row["ID"] for row in listed] == ["ada", "bob"]
    assert listed[0] | {"Organization": "Acme", "First name": "A", "Email verified": "false"} == listed[0]
    assert [row["userName"] for row in users_as_json] == ["a@a.example"] * 2
    assert json.loads(projects) == []
    assert file.stat().st_mode & 0o777 == 0o600


def test_roles_name_the_organization_of_the_user(users: Users, portico: Any) -> None:
    """The organization of the grant and the project have ids, in every list."""
    listed = json.loads(portico("export", "--list", "role-grants", "--format", "json").stdout)

    assert [row["organization"] for row in listed] == ["Acme"] * 4
    assert [(row["grantingOrganizationId"], row["projectId"]) for row in listed[:2]] == [
        ("acme", "p1"),
        ("globex", "p1"),
    ]


def test_organization_given_twice_is_exported_once(users: Users, portico: Any) -> None:
    """A document with an organization twice could not be applied."""
    twice = ("--organization", "acme") * 2
    listed = portico("export", "--list", "users", "--format", "json", *twice)

    assert [row["id"] for row in json.loads(listed.stdout)] == ["ada", "bob"]
    assert portico("export", *twice).stdout.count("Acme") == 1


@pytest.mark.parametrize("more", [(), ("--list", "users")])
def test_empty_organization_is_refused(users: Users, portico: Any, more: tuple[str, ...]) -> None:
    """An empty value is an unset variable of a script, and would write an empty list."""
    done = portico("export", "--organization", "", *more)

    assert (done.exit_code, done.stdout) == (2, "")
    assert "--organization is empty." in done.stderr


def test_user_names_of_a_file_are_printed_without_control_characters(users: Users, portico: Any) -> None:
    """Users of another system may have chosen them, and a terminal would obey."""
    done = portico("user", "import", "-", "--dry-run", typed='{"email": {"email": "\\u001bcada@x.example"}}\n')

    assert done.stdout.startswith("1: new, ?cada@x.example, ")


def test_report_does_not_replace_the_rows(users: Users, portico: Any, tmp_path: Path) -> None:
    """The file may be the only copy of an export."""
    file = tmp_path / "people.jsonl"
    file.write_text('{"email": {"email": "ada@x.example"}}\n')
    done = portico("user", "import", file, "--report", file)

    assert (done.exit_code, users.rows) == (2, [])
    assert "--report is the input file." in done.stderr
    assert file.read_text() == '{"email": {"email": "ada@x.example"}}\n'


@pytest.mark.parametrize("source", ["file", "standard input"])
def test_csv_is_imported(users: Users, portico: Any, tmp_path: Path, source: str) -> None:
    """Columns are recognized by their titles or named; problems have the row numbers of a spreadsheet."""
    rows = "Vorname;Nachname;E-Mail;Handy;Kürzel\nAda;Byron;ada@x.de;'+49301;al\n\nBob;;bob@x.de;;\n"
    file = tmp_path / "people.csv"
    file.write_bytes(rows.encode("cp1252"))
    options = ("--csv", "--column", "Kürzel=user-name", "--column", "Handy=", "--verified", "--dry-run")
    given = {"typed": rows} if source == "standard input" else {}
    done = portico("user", "import", "-" if given else file, *options, **given)

    assert [json.loads(row) for row in users.rows] == [
        {
            "profile": {"givenName": "Ada", "familyName": "Byron"},
            "email": {"email": "ada@x.de", "isVerified": True},
            "username": "al",
        },
        {"profile": {"givenName": "Bob"}, "email": {"email": "bob@x.de", "isVerified": True}},
    ]
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == ["2", "4", done.stdout.splitlines()[-1]]
    assert "Handy: not imported\n" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--csv", "--column", "Other=email"), "There is no column `Other`. The columns are: A, B."),
        (("--csv", "--column", "A=age"), "There is no field `age`."),
        (("--csv", "--column", "A=email"), "No column is recognized as the name. The columns are: A, B."),
        (("--column", "A=email"), "--column and --verified need --csv."),
    ],
)
def test_incomplete_columns_are_refused(users: Users, portico: Any, arguments: tuple[str, ...], problem: str) -> None:
    done = portico("user", "import", "-", *arguments, typed="A,B\n1,2\n")

    assert done.exit_code != 0
    assert problem in done.output
    assert users.rows == []


@pytest.mark.parametrize("start", ["dn: uid=ada\n", "# a comment\n\nversion: 1\n", "dn:: dWlkPWFkYQ==\n"])
def test_ldif_is_named_instead_of_each_of_its_lines(users: Users, portico: Any, start: str) -> None:
    done = portico("user", "import", "-", typed=f"{start}uid: ada\nmail: ada@acme.example\n")

    assert done.exit_code != 0
    assert "refused: This is LDIF. Write its users as rows first: portico user convert --from ldif FILE" in done.output
    assert users.rows == []
