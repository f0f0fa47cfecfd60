"""``portico console`` as an operator types it, with a fake of the users service on the real bus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from portico_cli.cli import main
from portico_contracts.apply import Document, OidcApp
from portico_contracts.users import APPLY, Applied, Apply, Failure
from portico_fakes.fake_service import FakeService
from portico_harness.servers import RunningNats
from portico_oauth.errors import Kind
from portico_stack.installation import load_or_create

pytestmark = pytest.mark.servers

ISSUER = "https://id.example"
PROBE = Apply(document=Document())


class FakeUsers(FakeService):
    """Applies everything, until a failure is set."""

    def __init__(self, nats: RunningNats) -> None:
        super().__init__(nats, "users", APPLY, PROBE)
        self.failure: Failure | None = None
        self.bus.respond(APPLY, self._answer)

    async def _answer(self, question: Apply) -> Applied:
        self.asked.append(question)
        return Applied(changes=(), failure=self.failure)


@pytest.fixture
def fake_users(nats_server: RunningNats) -> Iterator[FakeUsers]:
    """Answers until the test is done."""
    played = FakeUsers(nats_server)
    played.start()
    yield played
    played.stop()


def console(nats: RunningNats, data: Path, *arguments: str) -> Result:
    """Runs the command as the operator of that bus."""
    login = {"PORTICO_BUS_URL": nats.url, "PORTICO_BUS_PASSWORD": nats.password("operator")}
    return CliRunner().invoke(main, ("console", "--data", str(data), *arguments), env=login)


def apps_of(asked: Apply) -> list[OidcApp]:
    """The applications of the document."""
    [organization] = asked.document.organizations
    assert organization.projects is not None
    return [app for project in organization.projects for app in project.oidc_apps or ()]


def test_both_clients_are_declared_with_their_addresses(
    nats_server: RunningNats, fake_users: FakeUsers, tmp_path: Path
) -> None:
    """The public half of the key of this installation, and redirect addresses at the issuer, the private half nowhere."""
    key = load_or_create(tmp_path).console_client_key
    result = console(nats_server, tmp_path, "--issuer", ISSUER)
    [asked] = fake_users.asked
    apps = apps_of(asked)

    assert result.exit_code == 0, result.stderr
    assert [app.client_id for app in apps] == ["portico-console", "portico-account"]
    assert [app.redirect_uris for app in apps] == [
        (f"{ISSUER}/ui/console/callback",),
        (f"{ISSUER}/ui/account/callback",),
    ]
    assert all("BEGIN PUBLIC KEY" in one.public_key for app in apps for one in app.keys or ())
    assert key.splitlines()[1] not in str([one.public_key for app in apps for one in app.keys or ()])


def test_the_console_may_be_at_another_origin(nats_server: RunningNats, fake_users: FakeUsers, tmp_path: Path) -> None:
    """The account page stays at the issuer, whose host its passkeys are bound to."""
    load_or_create(tmp_path)
    console(nats_server, tmp_path, "--issuer", ISSUER, "--console-url", "https://console.example")
    first, second = apps_of(fake_users.asked[0])

    assert first.redirect_uris == ("https://console.example/ui/console/callback",)
    assert second.redirect_uris == (f"{ISSUER}/ui/account/callback",)


def test_a_directory_without_an_installation_is_a_sentence(
    nats_server: RunningNats, fake_users: FakeUsers, tmp_path: Path
) -> None:
    """Status 1, and nothing is declared."""
    result = console(nats_server, tmp_path, "--issuer", ISSUER)

    assert result.exit_code == 1
    assert "has no key of the console" in result.stderr
    assert fake_users.asked == []


def test_what_users_refuses_is_a_sentence(nats_server: RunningNats, fake_users: FakeUsers, tmp_path: Path) -> None:
    """Status 1, with the id of the error."""
    load_or_create(tmp_path)
    fake_users.failure = Failure(kind=Kind.ALREADY_EXISTS, id="USER-010", text="This id is already in use.")
    result = console(nats_server, tmp_path, "--issuer", ISSUER)

    assert (result.exit_code, result.stderr) == (1, "refused: This id is already in use. (USER-010)\n")
