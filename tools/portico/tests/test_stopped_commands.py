"""Commands that are stopped in the middle: they print what was done, and how to go on."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from portico_cli.cli import main
from portico_contracts.users import (
    APPLY,
    IMPORT_USERS,
    Applied,
    Apply,
    ImportUsers,
    RowOutcome,
    RowProblem,
    UsersImported,
)
from portico_fakes.fake_service import FakeService
from portico_harness.eventually import HANGS, eventually
from portico_harness.portico_command import PORTICO
from portico_harness.servers import RunningNats
from portico_oauth.errors import UNAVAILABLE

pytestmark = pytest.mark.servers

BAD = RowProblem(field="email", id="USER-005", text="Invalid email address.")
LATER = "Rows after these that were already sent may have been imported too. Run the command again to continue."


class Users(FakeService):
    """Takes requests of apply without an answer, and imports rows."""

    def __init__(self, nats: RunningNats) -> None:
        super().__init__(nats, "users", IMPORT_USERS, ImportUsers(rows=()))
        self.bus.respond(APPLY, self._apply)
        self.bus.respond(IMPORT_USERS, self._import)
        self.lost_store = False

    async def _apply(self, question: Apply) -> Applied:
        if self.lost_store:
            raise UNAVAILABLE.error(retry_after=1)
        self.asked.append(question)
        await asyncio.Event().wait()
        return Applied(changes=())

    async def _import(self, question: ImportUsers) -> UsersImported:
        self.asked.append(question)
        bad = RowOutcome(status="refused", problems=(BAD,))
        created = RowOutcome(status="created", user_id="1")
        return UsersImported(rows=tuple(bad if "bad" in json.loads(row) else created for row in question.rows))


@pytest.fixture
def users(nats_server: RunningNats) -> Iterator[Users]:
    one = Users(nats_server)
    one.start()
    yield one
    one.stop()


@pytest.fixture
def login(nats_server: RunningNats) -> dict[str, str]:
    return {"PORTICO_BUS_URL": nats_server.url, "PORTICO_BUS_PASSWORD": nats_server.password("operator")}


def started(login: dict[str, str], *arguments: str | Path, **more: Any) -> subprocess.Popen[str]:
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([PORTICO, *arguments], env={**os.environ, **login}, text=True, **pipes, **more)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_apply_prints_what_goes_on(
    users: Users, login: dict[str, str], tmp_path: Path, number: signal.Signals
) -> None:
    """The service finishes the run that it began."""
    file = tmp_path / "acme.yaml"
    file.write_text("organizations: [{name: Acme}]\n")
    with started(login, "apply", file) as process:
        wait_for(users)
        process.send_signal(number)
        printed, shown = process.communicate(timeout=HANGS)

    assert (process.returncode, printed) == (1, "")
    assert shown.splitlines() == [
        "",
        "Interrupted.",
        "The changes listed above were made. A run in progress goes on for up to a minute; secrets that it generates are not shown. Run the command again to continue.",
    ]


def wait_for(users: Users) -> None:
    async def asked() -> int:
        return len(users.asked)

    asyncio.run(eventually(asked, bool))


def test_import_of_a_silent_pipe_can_be_stopped(users: Users, login: dict[str, str]) -> None:
    """Results are printed while no further row comes, and Ctrl-C ends the wait for it."""
    with started(login, "user", "import", "-") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write('{"bad": 1}\n' * 100 + '{"b')
        process.stdin.flush()
        first = process.stdout.readline()
        for _ in range(99):
            process.stdout.readline()
        process.send_signal(signal.SIGINT)
        status, shown = process.wait(HANGS), process.stderr.read() if process.stderr else ""

    assert (first, status) == ("1: email: Invalid email address. (USER-005)\n", 1)
    assert shown.splitlines() == ["", "Interrupted.", "0 created, 0 already imported, 100 refused.", LATER]


def test_import_without_place_for_its_report_prints_what_was_done(
    users: Users, login: dict[str, str], tmp_path: Path
) -> None:
    """The second run of a full disk continues, since rows of the first exist already."""
    file, report = tmp_path / "people.jsonl", tmp_path / "report.jsonl"
    file.write_text("{}\n" * 250)
    line = len('{"line": 1, "status": "created", "userId": "1"}\n')
    with started(
        login, "user", "import", file, "--report", report,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9 * line, 9 * line)),
    ) as process:  # fmt: skip
        printed, shown = process.communicate(timeout=HANGS)

    assert (process.returncode, printed) == (1, "")
    assert shown.splitlines() == [
        f"refused: {report}: File too large",
        "10 created, 0 already imported, 0 refused.",
        LATER,
    ]
    assert len(report.read_text().splitlines()) == 9


def test_apply_without_a_store_does_not_claim_that_nothing_changed(users: Users, login: dict[str, str]) -> None:
    """The run may have ended in the middle, and the service itself responds."""
    users.lost_store = True
    done = CliRunner().invoke(main, ["apply", "-"], input="organizations: []\n", env=login)

    assert done.exit_code == 1
    assert done.output.splitlines() == [
        "refused: The service is temporarily unavailable. (PORT-004) The users service responds, but cannot reach a server that it needs, or is stopping: see `portico doctor`.",
        "Some changes may have been made. Run the command again to continue.",
    ]
