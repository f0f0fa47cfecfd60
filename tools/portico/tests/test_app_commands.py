from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from portico_cli.bus_calls.operator_calls import to_change
from portico_cli.cli import main
from portico_cli.commands import app
from portico_contracts.apply import AuthMethodName, ConsentName
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


def test_add_prints_issuer_id_and_secret_once(portico: Any, users: Users) -> None:
    """The application is added to the only project of the default organization, whose settings do not change."""
    result = portico("add", "shop", "--redirect", "http://localhost:3000/cb")
    [organization] = users.asked[-1].document.organizations
    [project] = organization.projects
    [app] = project.oidc_apps

    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[:5] == [
        f"Issuer         {ISSUER}",
        "Client id      new-1",
        "Client secret  made-now  (shown only once)",
        "Redirect URI   http://localhost:3000/cb",
        "Auth method    client_secret_post",
    ]
    assert result.output.count("made-now") == 1
    assert 'import * as client from "openid-client";' in result.output
    assert "CLIENT_SECRET=…" in result.output
    assert (organization.id, project.id, project.project_role_check, project.state) == ("acme", "shop", True, None)
    assert (app.name, app.redirect_uris, app.auth_method_type) == (
        "shop",
        ("http://localhost:3000/cb",),
        AuthMethodName.POST,
    )
    assert len(app.id) == 26
    assert (users.asked[-1].prune, users.asked[-1].keeps_settings) == (False, True)


@pytest.mark.parametrize(("framework", "claim"), [("grafana", "groups"), ("flask", "")])
def test_add_with_groups_enables_the_claim(portico: Any, users: Users, framework: str, claim: str) -> None:
    """The application is registered with the claim that the printed configuration reads."""
    address = "http://localhost:3000/login/generic_oauth" if claim else "http://localhost:3000/cb"
    result = portico("add", "shop", "--redirect", address, "--framework", framework)
    [organization] = users.asked[-1].document.organizations

    assert result.exit_code == 0, result.output
    assert organization.projects[0].oidc_apps[0].roles_claim == claim


@pytest.mark.parametrize(
    ("framework", "path", "wanted"),
    [
        ("next-auth-4", "/api/auth/callback/portico", True),
        ("streamlit", "/oauth2callback", True),
        ("micronaut", "/oauth/callback/portico", True),
        ("msal-browser", "/cb", True),
        ("react-oidc-context", "/cb", True),
        ("oidc-spa", "/", True),
        ("nextjs", "/api/auth/callback/portico", False),
    ],
)
def test_add_for_a_library_that_reads_no_userinfo(
    portico: Any, users: Users, framework: str, path: str, wanted: bool
) -> None:
    """The application is registered with the name in its id_token (decision 0118)."""
    result = portico("add", "shop", "--redirect", f"http://localhost:3000{path}", "--for", framework)
    [organization] = users.asked[-1].document.organizations

    assert result.exit_code == 0, result.output
    assert organization.projects[0].oidc_apps[0].id_token_userinfo_assertion is wanted
    assert "new-1" in result.output.partition("Code for")[2]


def test_agent_requests_consent(portico: Any, users: Users) -> None:
    """The setting would be refused otherwise (USER-899); other applications are no agents."""
    found = []
    for option in (["--agent"], []):
        added = portico("add", "helper", "--redirect", "http://localhost:3000/cb", *option)
        [organization] = users.asked[-1].document.organizations
        found.append(
            (
                added.exit_code,
                organization.projects[0].oidc_apps[0].agent,
                organization.projects[0].oidc_apps[0].consent,
            )
        )

    assert found == [(0, True, ConsentName.ONCE), (0, False, ConsentName.NONE)]


def test_devices_need_no_redirect_uri(portico: Any, users: Users) -> None:
    """Code for device codes is printed for an application without a redirect URI; all other code needs one."""
    added = portico("add", "tv", "--framework", "device-code")
    [organization] = users.asked[-1].document.organizations
    refused = portico("add", "shop")
    printed = portico("snippet", "cli", "--framework", "device-code")

    assert (added.exit_code, printed.exit_code) == (0, 0), (added.output, printed.output)
    assert organization.projects[0].oidc_apps[0].redirect_uris == ()
    assert "Redirect URI" not in added.output
    assert "client.initiateDeviceAuthorization" in added.output
    assert '"cli-1"' in printed.output
    assert refused.exit_code == 2
    assert "Missing option '--redirect'" in refused.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("web",), "already has an application web"),
        (("shop", "--organization", "Beta"), "several projects: One, Two"),
        (("shop", "--organization", "Gamma"), "Organization Gamma not found"),
        (("shop", "--project", "Three"), "no project Three. It has: Shop"),
    ],
)
def test_add_reports_an_obstacle(portico: Any, users: Users, arguments: tuple[str, ...], words: str) -> None:
    """A taken name and an unknown or ambiguous project give one message, status 1 and no write."""
    result = portico("add", *arguments, "--redirect", "http://localhost:3000/cb")

    assert result.exit_code == 1
    assert words in result.output
    assert users.asked == []


def test_refused_redirect_uri_names_the_option(portico: Any) -> None:
    """An error about an option names the option instead of a place in a document."""
    result = portico("add", "shop", "--redirect", "bad:")

    assert result.exit_code == 1
    assert result.output == "refused: redirectUris: This URI cannot be used. (TEST-902) Nothing was changed.\n"


def test_refusal_names_how_to_correct_it(portico: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text of an error names the mistake only; its owner declares what to do, in the table of all errors."""
    monkeypatch.setattr(app, "to_change", lambda error_id: to_change({"TEST-902": "USER-020"}[error_id]))
    result = portico("add", "shop", "--redirect", "bad:")

    assert result.output.splitlines() == [
        "refused: redirectUris: This URI cannot be used. (TEST-902) Nothing was changed.",
        "To change: Use https, http on a loopback host, or a private-use scheme with a dot. Other http addresses need devMode.",
    ]


def test_add_api_registers_scopes_and_prints_code_that_checks_them(portico: Any, users: Users) -> None:
    """The API is added like an application; other objects of the project do not change."""
    scopes = ("--scope", "orders.read", "--scope", "orders.write")
    options = ("--resource", "https://orders.example", "--token-exchange", "--framework", "express")
    result = portico("add-api", "orders", *scopes, *options)
    [organization] = users.asked[-1].document.organizations
    [project] = organization.projects
    [api] = project.api_apps

    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[:5] == [
        f"Issuer         {ISSUER}",
        "Client id      new-1",
        "Client secret  made-now  (shown only once)",
        "Resources      https://orders.example",
        "Scopes         orders.read  orders.write",
    ]
    assert 'requireScope("orders.write")' in result.output
    assert "CLIENT_SECRET=…" in result.output
    assert (project.oidc_apps, project.project_role_check) == (None, True)
    assert (api.resources, [one.scope for one in api.scopes]) == (("https://orders.example",), list(scopes[1::2]))
    assert api.token_exchange


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("prices",), "already has an application prices"),
        (("orders", "--resource", "bad:"), "refused: resources: This URI cannot be used. (TEST-902)"),
    ],
)
def test_add_api_reports_an_obstacle(portico: Any, arguments: tuple[str, ...], words: str) -> None:
    result = portico("add-api", *arguments)

    assert result.exit_code == 1
    assert words in result.output


@pytest.mark.parametrize(("options", "words"), [((), 'scopes=["prices.read"]'), (("--framework", "go"), "go-oidc")])
def test_code_for_an_api_checks_its_scopes(portico: Any, options: tuple[str, ...], words: str) -> None:
    result = portico("snippet", "prices", *options)

    assert result.exit_code == 0, result.output
    assert words in result.output
    assert '"prices.read"' in result.output


def test_first_application_creates_a_project(portico: Any, users: Users) -> None:
    """The first application of an organization creates a project with its name."""
    result = portico("add", "shop", "--organization", "bare", "--redirect", "http://localhost:3000/cb")

    assert result.exit_code == 0, result.output
    assert users.asked[-1].document.organizations[0].projects[0].name == "shop"


def test_public_client_has_no_secret(portico: Any) -> None:
    """No secret is printed for a public client, and its code does not authenticate."""
    result = portico("add", "shop", "--method", "none", "--redirect", "http://localhost:3000/cb")

    assert result.exit_code == 0, result.output
    assert "secret" not in result.output
    assert "client.None()" in result.output


def test_no_code_without_a_fitting_redirect_uri(portico: Any) -> None:
    """The application is registered, and the missing code is explained."""
    result = portico("add", "shop", "--redirect", "http://localhost:3000")

    assert result.exit_code == 0
    assert "made-now" in result.output
    assert "needs a redirect URI with a path of its own" in result.output


@pytest.mark.parametrize("app", ["web-1", "web"])
def test_code_matches_the_registration(portico: Any, app: str) -> None:
    """An application is found by client id or name, and Flask posts the secret where the registration requires it."""
    result = portico("snippet", app, "--organization", "Acme", "--framework", "flask")

    assert result.exit_code == 0, result.output
    assert 'client_id="web-1"' in result.output
    assert '"token_endpoint_auth_method": "client_secret_post"' in result.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("absent",), "Application absent not found."),
        (("web",), "2 applications are named web"),
        (
            ("keyed",),
            "needs client_secret_post, client_secret_basic, none as authentication, not private_key_jwt.",
        ),
        (("web-1", "--framework", "express"), "No code for applications that sign users in with express."),
        (("p-1", "--framework", "grafana"), "No code for APIs with grafana. Choose one of: fastapi, express"),
    ],
)
def test_unavailable_code_is_one_message(portico: Any, arguments: tuple[str, ...], words: str) -> None:
    """An unknown or ambiguous application, or a method without code, gives one message and status 1."""
    result = portico("snippet", *arguments)

    assert result.exit_code == 1
    assert words in result.output


def test_existing_files_are_not_replaced(portico: Any, tmp_path: Path) -> None:
    """Files that exist in the target directory are not overwritten."""
    (tmp_path / "app.mjs").write_text("mine")
    result = portico("add", "shop", "--redirect", "http://localhost:3000/cb", "--output", tmp_path)

    assert (tmp_path / "app.mjs").read_text() == "mine"
    assert "already exists" in result.output
    assert "made-now" in result.output
