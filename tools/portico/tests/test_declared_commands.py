from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result
from portico_cli.cli import main
from portico_cli.commands import apply
from portico_contracts.apply import Document, EndUser, Organization, ServiceUser
from portico_contracts.authz import LIST_SESSIONS, ListSessions, SessionState, SessionStates
from portico_contracts.documents.reading import read_document
from portico_contracts.users import (
    APPLY,
    EXPORT,
    IMPORT_USERS,
    Applied,
    Apply,
    CascadedDeletion,
    Change,
    Export,
    Exported,
    Failure,
    ImportUsers,
    Note,
    RowOutcome,
    RowProblem,
    UsersImported,
)
from portico_fakes.fake_service import FakeService
from portico_harness.on_terminal import run_on_terminal
from portico_harness.portico_command import PORTICO
from portico_harness.servers import RunningNats
from portico_oauth.errors import UNAVAILABLE

pytestmark = pytest.mark.servers

ACME = "organizations:\n  - name: Acme\n    humans: []\n"


class Users(FakeService):
    def __init__(self, nats: RunningNats) -> None:
        super().__init__(nats, "users", APPLY, Apply(document=Document()))
        self.bus.respond(APPLY, self._apply)
        self.bus.respond(EXPORT, self._export)
        self.bus.respond(IMPORT_USERS, self._import)
        self.rows: list[str] = []
        self.answers: list[Applied] = []
        self.busy = 0
        self.is_slow = False

    async def _apply(self, question: Apply) -> Applied:
        self.asked.append(question)
        if self.is_slow:
            await asyncio.Event().wait()
        return self.answers.pop(0) if self.answers else Applied(changes=())

    async def _export(self, question: Export) -> Exported:
        if not question.org_id:
            return Exported(document=Document(default_organization="acme"), org_ids=("acme",))
        profile, email = {"firstName": "A", "lastName": "B"}, {"email": "a@a.example"}
        name = "bob" if question.after else "ada"
        human = msgspec.convert({"id": name, "profile": profile, "email": email}, EndUser)
        robot = ServiceUser(id=f"robot-{name}", username=f"robot-{name}", name="Robot")
        org = Organization(name="Acme", id="acme", humans=(human,), service_users=(robot,))
        note = Note(id=name, text=f"Of {name}.")
        return Exported(document=Document(organizations=(org,)), notes=(note,), after="" if question.after else "ada")

    async def _import(self, question: ImportUsers) -> UsersImported:
        self.rows += question.rows
        if self.busy:
            self.busy -= 1
            raise UNAVAILABLE.error(retry_after=1)
        return UsersImported(rows=tuple(self._outcome(json.loads(text)) for text in question.rows))

    def _outcome(self, row: dict[str, Any]) -> RowOutcome:
        if "bad" in row:
            problem = RowProblem(field="email", id="USER-005", text="Invalid email address.")
            return RowOutcome(status="refused", problems=(problem,))
        return RowOutcome(
            status="created",
            user_id=row["id"],
            user_name=row["id"],
            org_id="acme",
            signs_in_by="bcrypt, cost=12",
            metadata=2,
        )


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


def removed(id: str) -> Change:
    return Change(action="removed", kind="human", id=id, name=id)


def test_empty_plan_has_status_0(users: Users, portico: Any) -> None:
    """An empty plan has status 0 and a non-empty one status 3, so that a pipeline can react."""
    users.answers = [
        Applied(changes=(Change(action="unchanged", kind="app", id="a", name="a"),)),
        Applied(changes=(removed("a"),)),
    ]
    nothing = portico("apply", "-", "--plan", typed=ACME)
    something = portico("apply", "-", "--plan", "--prune", typed=ACME)

    assert (nothing.exit_code, nothing.output) == (
        0,
        "0 to create, 0 to update, 0 to remove, 1 unchanged. Nothing was changed.\n",
    )
    assert (something.exit_code, something.output.splitlines()[0]) == (3, "removed    human             a  a")
    assert [(one.check, one.prune) for one in users.asked] == [(True, False), (True, True)]


@pytest.mark.parametrize(("typed", "asked", "status"), [("y\n", 2, 0), ("n\n", 1, 1)])
def test_deletion_requires_confirmation(
    users: Users, portico: Any, tmp_path: Path, typed: str, asked: int, status: int
) -> None:
    """The command shows the deletions, and only those are permitted."""
    file = tmp_path / "acme.yaml"
    file.write_text(ACME)
    users.answers = [Applied(changes=(removed("ada"), removed("bob")))] * 2
    done = portico("apply", file, "--prune", typed=typed)

    assert "removed    human             ada  ada\n" in done.output
    assert "Remove these 2 permanently? [y/N]" in done.output
    assert (len(users.asked), done.exit_code) == (asked, status)
    assert [one.may_remove for one in users.asked[1:]] == [("ada", "bob")] * (asked - 1)


class Authz(FakeService):
    def __init__(self, nats: RunningNats) -> None:
        super().__init__(nats, "authz", LIST_SESSIONS, ListSessions(user_id=""))
        self.bus.respond(LIST_SESSIONS, self._answer)

    async def _answer(self, question: ListSessions) -> SessionStates:
        self.asked.append(question)
        numbers = (1, 2) if question.user_id == "ada" else ()
        return SessionStates(
            sessions=tuple(SessionState(session_id=f"s{one}", auth_time=1, used_at=1, amr=("pwd",)) for one in numbers)
        )


def test_confirmation_lists_cascading_deletions(users: Users, portico: Any, nats_server: RunningNats) -> None:
    """Everything lost with each object, including sessions and removed parts, is listed before the confirmation."""
    keys = CascadedDeletion(kind="metadata entry", count=12, names=("a", "b"))
    removed = Change(
        action="removed",
        kind="human",
        id="ada",
        name="ada",
        along=(keys, CascadedDeletion(kind="recovery code", count=1)),
    )
    reduced = Change(
        action="updated", kind="project", id="p", name="shop", fields=("roles",),
        along=(CascadedDeletion(kind="user with a role of the project", count=2, names=("bob", "cy")),),
    )  # fmt: skip
    users.answers = [Applied(changes=(reduced, removed))] * 2
    authz = Authz(nats_server)
    authz.start()
    try:
        planned = portico("apply", "-", "--plan", "--prune", typed=ACME)
    finally:
        authz.stop()
    unknown = portico("apply", "-", "--plan", "--prune", typed=ACME)

    assert planned.output.splitlines() == [
        "updated    project           shop  p  (roles)",
        "           with 2 users with a role of the project: bob, cy",
        "removed    human             ada  ada",
        "           with 12 metadata entries: a, b, …",
        "           with 1 recovery code",
        "           with 2 sessions: s1 (pwd), s2 (pwd)",
        "0 to create, 1 to update, 1 to remove, 0 unchanged. Nothing was changed.",
    ]
    assert "with sessions (number unknown: authz does not respond)" in unknown.output


def test_removing_a_part_requires_confirmation(users: Users, portico: Any, tmp_path: Path) -> None:
    """Removing a role from a remaining project requires confirmation, and a no writes nothing."""
    file = tmp_path / "acme.yaml"
    file.write_text(ACME)
    lost = CascadedDeletion(kind="role", count=1, names=("writer",))
    users.answers = [Applied(changes=(Change(action="updated", kind="project", id="p", name="shop", along=(lost,)),))]
    done = portico("apply", file, "--prune", typed="n\n")

    assert "           with 1 role: writer\nRemove these parts of existing objects? [y/N]" in done.output
    assert (len(users.asked), done.exit_code) == (1, 1)


def test_yes_deletes_without_confirmation(users: Users, portico: Any) -> None:
    """--yes also works from a pipe, where a missing confirmation is wrong usage."""
    users.answers = [Applied(changes=(removed("ada"),))] * 3
    refused = portico("apply", "-", "--prune", typed=ACME)
    done = portico("apply", "-", "--prune", "--yes", typed=ACME)

    assert (refused.exit_code, "--yes" in refused.output) == (2, True)
    assert done.output.splitlines()[-1] == "0 created, 0 updated, 1 removed, 0 unchanged."


def test_partial_failure_shows_completed_changes(users: Users, portico: Any, tmp_path: Path) -> None:
    """After a partial failure the completed changes, their one-time secrets and the rest are shown."""
    file = tmp_path / "acme.yaml"
    file.write_text(ACME)
    made = Change(action="created", kind="app", id="web", name="Web", generated_secret="made-now")
    failure = Failure(kind="exists", id="USER-011", text="organizations[0].humans: This name is already in use.")
    users.answers = [Applied(changes=changes, failure=failure) for changes in ((made,), ())]
    done = portico("apply", file)

    assert done.exit_code == 1
    assert done.output.splitlines() == [
        "created    app               Web  web",
        "           secret (shown only once): made-now",
        f"refused: {file}:3:5: organizations[0].humans: This name is already in use. (USER-011)",
        "The changes listed above were made, the others were not. Run the command again to continue.",
    ]


@pytest.mark.parametrize(
    ("options", "rest"),
    [
        (
            (),
            [
                "Some changes may have been made. Run the command again to continue; if it takes too long, apply one organization at a time, or use `portico user import` for users."
            ],
        ),
        (("--plan",), []),
    ],
)
def test_timeout_is_reported(
    users: Users, portico: Any, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], rest: list[str]
) -> None:
    """A timeout is reported as such, together with the changes that may have been written."""
    monkeypatch.setattr(apply, "APPLY_SECONDS", 0.2)
    users.is_slow = True
    refused = portico("apply", "-", *options, typed=ACME)
    sentence = "refused: The users service did not respond within 0.2 seconds (PORT-004)."

    assert (refused.exit_code, refused.output.splitlines()) == (1, [sentence, *rest])


def test_binary_document_is_refused(portico: Any, tmp_path: Path) -> None:
    """A document in another encoding gives a message with the file's name."""
    file = tmp_path / "acme.yaml"
    file.write_bytes(b"organizations: []  # \xff\n")
    refused = portico("apply", file)

    assert (refused.exit_code, refused.output) == (1, f"{file} is not UTF-8.\n")


def test_export_is_assembled_from_its_parts(users: Users, portico: Any, tmp_path: Path) -> None:
    """The parts become one document, and an output file is readable by its owner only."""
    file = tmp_path / "all.yaml"
    shown = portico("export")
    portico("export", "--output", file)
    document = read_document(shown.output, "-", {})
    [org] = document.organizations

    assert document.default_organization == "acme"
    assert [human.id for human in org.humans or ()] == ["ada", "bob"]
    assert [robot.id for robot in org.service_users or ()] == ["robot-ada", "robot-bob"]
    assert "      # Of bob.\n      - id: bob\n" in shown.output
    assert (file.read_text(), file.stat().st_mode & 0o777) == (shown.output, 0o600)


def test_dry_run_reports_every_row(users: Users, portico: Any) -> None:
    """A dry run reports every row, including duplicate user names, and has status 1 if some rows are wrong."""
    rows = '{"id": "ada"}\n{"bad": 1}\n{"id": "ADA"}\n'
    done = portico("user", "import", "-", "--dry-run", typed=rows)

    assert done.exit_code == 1
    assert done.output.splitlines() == [
        "1: new, ada, organization acme, bcrypt, cost=12, email not verified, 2 metadata",
        "2: refused, no user name, organization unknown, no password, email not verified",
        "2: email: Invalid email address. (USER-005)",
        "3: refused, ADA, organization acme, no password, email not verified",
        "3: username: Line 1 has the same user name. (USER-011)",
        "1 to create, 0 already imported, 2 refused. Nothing was changed.",
    ]


def test_invalid_rows_do_not_stop_the_others(users: Users, portico: Any, tmp_path: Path) -> None:
    """The report has a line for each row in the order of the file, without passwords, readable by its owner only."""
    report = tmp_path / "report.jsonl"
    rows = '{"bad": "canary"}\n' + "".join(f'{{"id": "u{number}", "password": "canary"}}\n' for number in range(250))
    done = portico("user", "import", "-", "--report", report, typed=rows)
    reported = [json.loads(line) for line in report.read_text().splitlines()]

    assert done.output.splitlines()[-1] == "250 created, 0 already imported, 1 refused."
    assert done.exit_code == 1
    assert reported[0] == {
        "line": 1,
        "status": "refused",
        "problems": [{"field": "email", "id": "USER-005", "text": "Invalid email address."}],
    }
    assert reported[1:] == [{"line": number + 2, "status": "created", "userId": f"u{number}"} for number in range(250)]
    assert report.stat().st_mode & 0o777 == 0o600
    assert "canary" not in report.read_text() + done.output


def test_busy_service_is_retried(users: Users, portico: Any) -> None:
    """Rows are sent again until there is a response, without creating a user twice."""
    users.busy = 1
    done = portico("user", "import", "-", typed='{"id": "ada"}\n')

    assert done.output == "1 created, 0 already imported, 0 refused.\n"
    assert users.rows == ['{"id": "ada"}'] * 2


def test_long_commands_show_progress(users: Users, nats_server: RunningNats, tmp_path: Path) -> None:
    """Apply, export and import show progress on a terminal, with the same standard output as into a pipe."""
    document, people = tmp_path / "acme.yaml", tmp_path / "people.jsonl"
    document.write_text(ACME)
    people.write_text("".join(f'{{"id": "u{number}"}}\n' for number in range(250)))
    login = {"PORTICO_BUS_URL": nats_server.url, "PORTICO_BUS_PASSWORD": nats_server.password("operator")}
    ran = {
        name: run_on_terminal([PORTICO, *arguments], {**os.environ, **login})
        for name, arguments in (
            ("apply", ("apply", document)), ("export", ("export",)), ("import", ("user", "import", people)),
        )
    }  # fmt: skip

    assert ran["apply"][0] == "0 created, 0 updated, 0 removed, 0 unchanged.\n"
    assert ran["import"][0] == "250 created, 0 already imported, 0 refused.\n"
    assert ran["export"][0].splitlines()[-1] == "        name: Robot"
    assert "Applying …" in ran["apply"][1]
    assert "Exporting organizations" in ran["export"][1]
    assert "100%" in ran["export"][1]
    assert "Importing" in ran["import"][1]
    assert "100%" in ran["import"][1]
