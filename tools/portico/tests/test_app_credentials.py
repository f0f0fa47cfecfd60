"""Options of `portico app` for authentication and for tokens that are bound to a key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from portico_cli.apps.credentials import API_METHODS, METHODS
from portico_cli.cli import main
from portico_contracts.apply import ApiAuthMethodName, AuthMethodName, DpopName
from portico_fakes.users_with_apps import ISSUER, Users
from portico_harness.servers import RunningNats

pytestmark = pytest.mark.servers


@pytest.fixture
def users(nats_server: RunningNats) -> Iterator[Users]:
    one = Users(nats_server)
    one.start()
    yield one
    one.stop()


@pytest.fixture
def portico(users: Users, nats_server: RunningNats) -> Any:
    login = {
        "PORTICO_BUS_URL": nats_server.url,
        "PORTICO_BUS_PASSWORD": nats_server.password("operator"),
        "PORTICO_ISSUER": ISSUER,
    }

    def run(*arguments: str | Path) -> Result:
        return CliRunner().invoke(main, ["app", *(str(one) for one in arguments)], env=login)

    return run


@pytest.mark.parametrize(
    ("method", "option", "value"),
    [
        ("private_key_jwt", "--public-key", "key.pem"),
        ("self_signed_tls_client_auth", "--public-key", "key.pem"),
        ("tls_client_auth", "--certificate-subject", "san_dns:client.example.org"),
    ],
)
@pytest.mark.parametrize("kind", ["add", "add-api"])
def test_methods_need_their_credentials(
    portico: Any, users: Users, tmp_path: Path, kind: str, method: str, option: str, value: str
) -> None:
    """The key or the subject is registered with the method, required by it, and refused with another one."""
    (tmp_path / "key.pem").write_text("-----BEGIN PUBLIC KEY-----")
    given = (option, tmp_path / value if value == "key.pem" else value)
    own = ("shop", *(("--redirect", "http://localhost:3000/cb") if kind == "add" else ()))

    missing = portico(kind, *own, "--method", method)
    unfit = portico(kind, *own, "--method", "client_secret_basic", *given)
    assert (missing.exit_code, unfit.exit_code, users.asked) == (2, 2, [])
    assert f"Missing option '{option}'" in missing.output
    assert f"client_secret_basic has no '{option}'" in unfit.output

    added = portico(kind, *own, "--method", method, *given)
    [project] = users.asked[-1].document.organizations[0].projects
    [app] = project.oidc_apps or project.api_apps
    assert added.exit_code == 0, added.output
    assert app.auth_method_type.value.endswith(method.upper())
    assert [key.public_key for key in app.keys or ()] == ["-----BEGIN PUBLIC KEY-----"][: option == "--public-key"]
    assert app.certificate_subject == ("" if option == "--public-key" else value)


def test_every_method_of_the_api_is_offered() -> None:
    """A method that is added to the API is missing here until `portico app` knows it."""
    assert {*METHODS.values()} == {*AuthMethodName}
    assert {*API_METHODS.values()} == {*ApiAuthMethodName}


def test_dpop_of_a_new_application(portico: Any, users: Users) -> None:
    """Where proofs are required, the printed code sends them."""
    printed = []
    for options in ([], ["--dpop", "allowed", "--dpop-nonce"], ["--dpop", "required"]):
        printed.append(portico("add", "shop", "--redirect", "http://localhost:3000/cb", *options).output)
    apps = [asked.document.organizations[0].projects[0].oidc_apps[0] for asked in users.asked]

    assert [(app.dpop.value, app.dpop_nonce) for app in apps] == [
        ("off", False),
        ("allowed", True),
        ("required", False),
    ]
    assert ["getDPoPHandle" in text for text in printed] == [False, False, True]


def test_security_profile_sets_what_it_demands(portico: Any, users: Users, tmp_path: Path) -> None:
    """Whatever USER-794 would refuse; a contradiction is refused here."""
    (tmp_path / "key.pem").write_text("-----BEGIN PUBLIC KEY-----")
    options = (
        "--redirect",
        "https://bank.example/cb",
        "--public-key",
        tmp_path / "key.pem",
        "--security-profile",
        "fapi2",
    )
    refused = portico("add", "bank", *options, "--dpop", "allowed")
    added = portico("add", "bank", *options)
    [app] = users.asked[-1].document.organizations[0].projects[0].oidc_apps

    assert refused.exit_code == 2
    assert "--security-profile fapi2 needs '--dpop required'" in refused.output
    assert added.exit_code == 0, added.output
    assert (app.auth_method_type, app.dpop) == (AuthMethodName.PRIVATE_KEY_JWT, DpopName.REQUIRED)
    assert (app.security_profile.value, app.require_pushed_authorization_requests) == ("fapi2", True)
    assert (app.client_assertion_audience.value, app.id_token_signed_response_alg) == ("issuer", "ES256")
