from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from portico_cli.cli import main
from portico_contracts.users.first_run import CREATE_FIRST_RUN_LINK, CreateFirstRunLink, FirstRunLinkCreated
from portico_fakes.fake_service import FakeService
from portico_harness.servers import RunningNats
from portico_oauth.errors import ErrorCode, Kind

pytestmark = pytest.mark.servers

HAS_OWNER = ErrorCode("TEST-093", Kind.FAILED_PRECONDITION, "There is an administrator.")
LINK = "https://id.example/ui/login/first-run?code=canary"
RECOVER = CreateFirstRunLink(recover=True)


class FakeUsers(FakeService):
    def __init__(self, nats: RunningNats) -> None:
        super().__init__(nats, "users", CREATE_FIRST_RUN_LINK, RECOVER)
        self.bus.respond(CREATE_FIRST_RUN_LINK, self._answer)

    async def _answer(self, question: CreateFirstRunLink) -> FirstRunLinkCreated:
        self.asked.append(question)
        if not question.recover:
            raise HAS_OWNER.error()
        return FirstRunLinkCreated(address=LINK, expires_at=1_790_000_000.0)


@pytest.fixture
def fake_users(nats_server: RunningNats) -> Iterator[FakeUsers]:
    played = FakeUsers(nats_server)
    played.start()
    yield played
    played.stop()


def first_run(nats: RunningNats, *arguments: str) -> Result:
    login = {"PORTICO_BUS_URL": nats.url, "PORTICO_BUS_PASSWORD": nats.password("operator")}
    return CliRunner().invoke(main, ("first-run", *arguments), env=login)


def test_only_the_link_is_printed(nats_server: RunningNats, fake_users: FakeUsers) -> None:
    """Standard output has only the link for scripts, and its lifetime is on standard error."""
    result = first_run(nats_server, "--recover")

    assert (result.exit_code, result.stdout) == (0, f"{LINK}\n")
    assert result.stderr == "The link works once and expires at 2026-09-21T14:13:20Z.\n"
    assert fake_users.asked == [RECOVER]


def test_link_file_is_readable_by_its_owner_only(
    nats_server: RunningNats, fake_users: FakeUsers, tmp_path: Path
) -> None:
    """With a file the link is not printed, because output might be logged."""
    file = tmp_path / "link"
    result = first_run(nats_server, "--recover", "--file", str(file))

    assert result.exit_code == 0
    assert file.read_text() == f"{LINK}\n"
    assert file.stat().st_mode & 0o777 == 0o600
    assert "canary" not in result.stdout + result.stderr


def test_unwritable_file_is_one_message(nats_server: RunningNats, fake_users: FakeUsers, tmp_path: Path) -> None:
    """An unwritable file gives one message and status 1, and no link is issued."""
    result = first_run(nats_server, "--recover", "--file", str(tmp_path / "nothing" / "link"))

    assert result.exit_code == 1
    assert "cannot be written" in result.stderr
    assert "canary" not in result.stdout + result.stderr


def test_existing_administrator_is_refused_with_the_recovery_option(
    nats_server: RunningNats, fake_users: FakeUsers
) -> None:
    """With an existing administrator the status is 1, the recovery option is named, and no further request is sent."""
    result = first_run(nats_server)

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "refused: There is an administrator. (TEST-093) If no administrator can sign in, add --recover.\n"
    )
    assert fake_users.asked == [CreateFirstRunLink()]
