from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from click.testing import CliRunner, Result
from portico_cli.cli import main
from portico_contracts.diagnostics import (
    FIND_TRACE,
    Diagnostic,
    DiagnosticCheck,
    DiagnosticFound,
    ExplainedCheck,
    FindDiagnostic,
)
from portico_fakes.fake_service import FakeService
from portico_harness.servers import RunningNats

pytestmark = pytest.mark.servers

REFUSED = DiagnosticCheck(
    name="redirect_uri",
    passed=False,
    given="https://app.example.test/cb/",
    wanted=("https://app.example.test/cb",),
    hint="trailing_slash",
)
CLIENT = DiagnosticCheck(name="client", passed=True, given="web (oidc)")
FOUND = DiagnosticFound(
    trace=Diagnostic(
        request_id="r-12345678",
        at=1_790_000_000.5,
        endpoint="authorization",
        outcome="refused",
        error_id="AUTHZ-005",
        error="invalid_request",
        client_id="web",
        client_known=True,
        org_id="org-1",
        project_id="p-1",
        app_id="app-1",
        checks=(CLIENT, REFUSED),
    ),
    text="The redirect_uri is not registered for this application.",
    fix="Register exactly this redirect_uri, or send one that is registered.",
    checks=(ExplainedCheck(check=CLIENT), ExplainedCheck(check=REFUSED, hint="Only a slash at the end differs.")),
)


class FakeUsers(FakeService):
    def __init__(self, nats: RunningNats) -> None:
        super().__init__(nats, "users", FIND_TRACE, FindDiagnostic(request_id="-"))
        self.bus.respond(FIND_TRACE, self._find)

    async def _find(self, question: FindDiagnostic) -> DiagnosticFound:
        self.asked.append(question)
        return FOUND if question.request_id == "r-12345678" else DiagnosticFound()


@pytest.fixture
def _users(nats_server: RunningNats) -> Iterator[None]:
    played = FakeUsers(nats_server)
    played.start()
    yield
    played.stop()


def explain(nats: RunningNats, *arguments: str) -> Result:
    login = {"PORTICO_BUS_URL": nats.url, "PORTICO_BUS_PASSWORD": nats.password("operator")}
    return CliRunner().invoke(main, ("explain", *arguments), env=login)


@pytest.mark.usefixtures("_users")
def test_diagnostics_are_printed_readably(nats_server: RunningNats) -> None:
    """The output names the request, the error, what to update, and each check with what it compared."""
    result = explain(nats_server, "r-12345678")

    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "request       r-12345678 at 2026-09-21T14:13:20Z",
        "endpoint      authorization",
        "client        web",
        "application   app-1",
        "project       p-1",
        "organization  org-1",
        "error         AUTHZ-005 invalid_request",
        "",
        "The redirect_uri is not registered for this application.",
        "To change: Register exactly this redirect_uri, or send one that is registered.",
        "",
        "  passed  client: web (oidc)",
        "  REFUSED redirect_uri",
        "          given   https://app.example.test/cb/",
        "          wanted  https://app.example.test/cb",
        "          hint    Only a slash at the end differs.",
    ]


@pytest.mark.usefixtures("_users")
def test_json_output_is_complete(nats_server: RunningNats) -> None:
    """With JSON output the complete message of users is printed."""
    result = explain(nats_server, "r-12345678", "--json")

    assert result.exit_code == 0
    assert json.loads(result.output)["trace"]["error_id"] == "AUTHZ-005"
    assert json.loads(result.output)["checks"][1]["check"]["hint"] == "trailing_slash"


@pytest.mark.usefixtures("_users")
def test_unknown_request_id_is_one_message(nats_server: RunningNats) -> None:
    """An unknown id gives one message and status 1."""
    result = explain(nats_server, "unknown-1")

    assert result.exit_code == 1
    assert "No diagnostics found for the request unknown-1" in result.output
