from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from portico_cli.cli import main
from portico_contracts.users import (
    HASH_KINDS,
    IMPORT_USERS,
    GetHashKinds,
    HashKind,
    HashKinds,
    ImportUsers,
    RowOutcome,
    UsersImported,
)
from portico_fakes.fake_service import FakeService
from portico_harness.servers import RunningNats

pytestmark = pytest.mark.servers

CHEAP = HashKind(description="argon2, m=19456, t=2, p=1", users=40, seconds=0.04)
COSTLY = HashKind(description="bcrypt, cost=14", users=3, seconds=2.4)


class FakeUsers(FakeService):
    def __init__(self, nats: RunningNats) -> None:
        super().__init__(nats, "users", HASH_KINDS, GetHashKinds())
        self.kinds: tuple[HashKind, ...] = (CHEAP,)
        self.skew = 0.0
        self.bus.respond(HASH_KINDS, self._kinds)
        self.bus.respond(IMPORT_USERS, self._import)

    async def _kinds(self, question: GetHashKinds) -> HashKinds:
        self.asked.append(question)
        return HashKinds(kinds=self.kinds, at=time.time() + self.skew)

    async def _import(self, question: ImportUsers) -> UsersImported:
        seconds = [2.4 if "costly" in row else 0.0 for row in question.rows]
        rows = (RowOutcome(status="created", signs_in_by="bcrypt, cost=14", hash_seconds=one) for one in seconds)
        return UsersImported(rows=tuple(rows))


@pytest.fixture
def users(nats_server: RunningNats) -> Iterator[FakeUsers]:
    played = FakeUsers(nats_server)
    played.start()
    yield played
    played.stop()


def portico(nats: RunningNats, *arguments: str, typed: str = "", **environment: str) -> Result:
    login = {"PORTICO_BUS_URL": nats.url, "PORTICO_BUS_PASSWORD": nats.password("operator")}
    return CliRunner().invoke(main, arguments, input=typed, env={**login, **environment})


def test_healthy_installation_has_status_0(users: FakeUsers, nats_server: RunningNats, tmp_path: Path) -> None:
    """A healthy installation has one line per check and status 0."""
    result = portico(nats_server, "doctor", "--data", str(tmp_path))
    names = [line.split()[0] for line in result.output.splitlines() if not line.startswith(" " * 15)]

    assert result.exit_code == 0, result.output
    assert names == ["settings", "services", "stream", "clock", "hashes"]
    assert "40 passwords, none takes more than 2 s" in result.output
    assert users.asked


def test_costly_hashes_are_a_warning(users: FakeUsers, nats_server: RunningNats, tmp_path: Path) -> None:
    """Costly hashes give status 0 and a warning with the number of users and the duration."""
    users.kinds = (CHEAP, COSTLY)
    result = portico(nats_server, "doctor", "--data", str(tmp_path))

    assert result.exit_code == 0
    assert "warning: 3 users have a hash (bcrypt, cost=14) that takes 2.4 s to verify." in result.output


@pytest.mark.parametrize(
    ("environment", "skew", "text"),
    [
        ({"PORTICO_PASSWORT": "x"}, 0.0, "unknown setting PORTICO_PASSWORT"),
        ({}, -60.0, "differ by 60 s"),
        ({"PORTICO_BUS_URL": "nats://127.0.0.1:9"}, 0.0, "NATS does not respond"),
    ],
    ids=["a setting that is none", "a clock that is late", "a bus that is not there"],
)
def test_failed_check_has_status_1(
    users: FakeUsers,
    nats_server: RunningNats,
    tmp_path: Path,
    environment: dict[str, str],
    skew: float,
    text: str,
) -> None:
    """After a failed check the other checks still run, and the status is 1."""
    users.skew = skew
    result = portico(nats_server, "doctor", "--data", str(tmp_path), **environment)

    assert result.exit_code == 1
    assert text in result.output
    assert len(result.output.splitlines()) >= 4


@pytest.mark.usefixtures("users")
def test_import_warns_once_per_kind(nats_server: RunningNats, tmp_path: Path) -> None:
    """Thousands of rows of one kind give one warning below the summary."""
    rows = "".join(
        json.dumps({"username": f"{kind}{number}"}) + "\n" for number in range(3) for kind in ("costly", "n")
    )
    result = portico(nats_server, "user", "import", "-", "--data", str(tmp_path), typed=rows)
    line, warning = result.output.splitlines()

    assert result.exit_code == 0
    assert line.startswith("6 created")
    assert warning == (
        "Warning: 3 users have a hash (bcrypt, cost=14) that takes 2.4 s to verify. Their first sign-ins will be slow."
    )
