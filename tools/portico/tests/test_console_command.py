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
from portico_stack.installation.installation import load_or_create

pytestmark = pytest.mark.servers

ISSUER = "https://id.example"
PROBE = Apply(document=Document())


class FakeUsers(FakeService):
    def __init__(self, nats: RunningNats) -> None:
        super().__init__(nats, "users", APPLY, PROBE)
        self.failure: Failure | None = None
        self.bus.respond(APPLY, self._answer)

    async def _answer(self, question: Apply) -> Applied:
        self.asked.append(question)
        return Applied(changes=(), failure=self.failure)


@pytest.fixture
def fake_users(nats_server: RunningNats) -> Iterator[FakeUsers]:
    played = FakeUsers(nats_server)
    played.start()
    yield played
    played.stop()


def console(nats: RunningNats, data: Path, *arguments: str) -> Result:
    login = {"PORTICO_BUS_URL": nats.url, "PORTICO_BUS_PASSWORD": nats.password("operator")}
    return CliRunner().invoke(main, ("console", "--data", str(data), *arguments), env=login)


def apps_of(asked: Apply) -> list[OidcApp]:
    [organization] = asked.document.organizations
    assert organization.projects is not None
    return [app for project in organization.projects for app in project.oidc_apps or ()]


def test_both_clients_are_declared(nats_server: RunningNats, fake_users: FakeUsers, tmp_path: Path) -> None:
    """Both clients have the installation's public key and redirect URIs at the issuer."""
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


def test_slash_after_the_urls_is_removed(nats_server: RunningNats, fake_users: FakeUsers, tmp_path: Path) -> None:
    """With the slash no redirect URI would be the one that the console sends."""
    load_or_create(tmp_path)
    result = console(nats_server, tmp_path, "--issuer", f"{ISSUER}/", "--console-url", "https://admin.example/")
    apps = apps_of(fake_users.asked[-1])

    assert [app.redirect_uris for app in apps] == [
        ("https://admin.example/ui/console/callback",),
        (f"{ISSUER}/ui/account/callback",),
    ]
    assert "https://admin.example/ui/console, the account page at https://id.example/ui/account." in result.stdout


def test_console_may_have_another_origin(nats_server: RunningNats, fake_users: FakeUsers, tmp_path: Path) -> None:
    """The account page stays at the issuer, because its passkeys are bound to that host."""
    load_or_create(tmp_path)
    console(nats_server, tmp_path, "--issuer", ISSUER, "--console-url", "https://console.example")
    first, second = apps_of(fake_users.asked[0])

    assert first.redirect_uris == ("https://console.example/ui/console/callback",)
    assert second.redirect_uris == (f"{ISSUER}/ui/account/callback",)


def test_directory_without_installation_is_one_message(
    nats_server: RunningNats, fake_users: FakeUsers, tmp_path: Path
) -> None:
    """A directory without an installation gives one message and status 1, and nothing is declared."""
    result = console(nats_server, tmp_path, "--issuer", ISSUER)

    assert result.exit_code == 1
    assert "has no key of the console" in result.stderr
    assert fake_users.asked == []


def test_error_of_users_is_one_message(nats_server: RunningNats, fake_users: FakeUsers, tmp_path: Path) -> None:
    """An error of users gives one message with its id and status 1."""
    load_or_create(tmp_path)
    fake_users.failure = Failure(kind=Kind.ALREADY_EXISTS, id="USER-010", text="This id is already in use.")
    result = console(nats_server, tmp_path, "--issuer", ISSUER)

    assert (result.exit_code, result.stderr) == (1, "refused: This id is already in use. (USER-010)\n")
