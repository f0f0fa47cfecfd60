"""The connection of a command to the bus: one for all calls, and what happens when it is lost or interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from portico_cli.bus_calls.connection import OperatorConnection, operator_connection
from portico_cli.cli import main
from portico_contracts.apply import Document, EndUser, Organization
from portico_contracts.users import EXPORT, Export, Exported
from portico_fakes.fake_service import FakeService
from portico_harness.portico_command import PORTICO
from portico_harness.servers import RunningNats
from portico_oauth.errors import ServiceError
from portico_runtime.bus.nats_bus import NatsBus

pytestmark = pytest.mark.servers

ORGS = ("acme", "globex", "initech")


class Users(FakeService):
    """`before` runs before each answer about the second organization."""

    def __init__(self, nats: RunningNats) -> None:
        super().__init__(nats, "users", EXPORT, Export())
        self.bus.respond(EXPORT, self._export)
        self.before: Callable[[], object] = lambda: None

    async def _export(self, question: Export) -> Exported:
        self.asked.append(question)
        if not question.org_id:
            return Exported(document=Document(), org_ids=ORGS)
        if question.org_id == ORGS[1]:
            self.before()
        person = {"id": "ada", "profile": {"firstName": "A", "lastName": "B"}, "email": {"email": "a@a.example"}}
        org = Organization(name="Acme", id=question.org_id, humans=(msgspec.convert(person, EndUser),))
        return Exported(document=Document(organizations=(org,)))


@pytest.fixture
def users(fragile_nats: RunningNats) -> Iterator[Users]:
    one = Users(fragile_nats)
    one.start()
    yield one
    one.stop()


@pytest.fixture
def login(fragile_nats: RunningNats) -> dict[str, str]:
    return {"PORTICO_BUS_URL": fragile_nats.url, "PORTICO_BUS_PASSWORD": fragile_nats.password("operator")}


@pytest.mark.usefixtures("users")
@pytest.mark.parametrize("options", [(), ("--list", "users")])
def test_command_connects_once(
    login: dict[str, str], monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    """However often it asks: the bus takes longer to let a client in than to answer it."""
    opened, start = list[NatsBus](), NatsBus.start

    async def counted(bus: NatsBus) -> None:
        opened.append(bus)
        await start(bus)

    monkeypatch.setattr(NatsBus, "start", counted)
    done = CliRunner().invoke(main, ["export", *options], env=login)

    assert done.exit_code == 0, done.output
    assert len(opened) == 1


@pytest.mark.usefixtures("users")
def test_connection_that_ended_between_two_calls_is_made_again(fragile_nats: RunningNats) -> None:
    """As while a question waits for its answer on the terminal, when nothing answers the pings of the server."""
    with operator_connection(fragile_nats.url, fragile_nats.password("operator")) as connection:
        first = _export(connection)
        fragile_nats.stop()
        fragile_nats.start()
        with operator_connection(fragile_nats.url, fragile_nats.password("operator")) as other:
            while not _answered(other):
                pass
        again = _export(connection)

    assert first == again


@pytest.mark.parametrize("options", [(), ("--list", "users")])
def test_lost_bus_ends_an_export_without_a_file(
    users: Users, fragile_nats: RunningNats, login: dict[str, str], tmp_path: Path, options: tuple[str, ...]
) -> None:
    """The file of an earlier export stays as it is."""
    file = tmp_path / "all"
    file.write_text("of yesterday")
    users.before = fragile_nats.stop
    try:
        done = CliRunner().invoke(main, ["export", *options, "--output", str(file)], env=login)
    finally:
        fragile_nats.start()

    assert done.exit_code == 1
    assert done.output.endswith("Is the users service running?\n"), done.output
    assert done.output.count("\n") == 1
    assert ([one.name for one in tmp_path.glob("all*")], file.read_text()) == (["all"], "of yesterday")


def test_interrupt_ends_an_export_without_a_file(users: Users, login: dict[str, str], tmp_path: Path) -> None:
    command: list[Any] = [PORTICO, "export", "--output", tmp_path / "all"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | login) as process:
        users.before = lambda: process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)

    assert (process.returncode, error.splitlines()[-1]) == (1, "Aborted!")
    assert "Traceback" not in error
    assert not list(tmp_path.glob("all*"))


def _export(connection: OperatorConnection) -> Exported:
    return connection.call(EXPORT, Export(), seconds=5.0)


def _answered(connection: OperatorConnection) -> bool:
    with suppress(ServiceError):
        return bool(_export(connection).org_ids)
    return False
