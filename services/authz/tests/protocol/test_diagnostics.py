"""Diagnostics of refused requests: each check with the compared values, and no secrets."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from portico_contracts import http
from portico_contracts.diagnostics import RECORD_TRACES, Diagnostic, DiagnosticCheck
from portico_contracts.subjects import encode
from portico_contracts.users import Api, AuthMethod
from portico_fakes.authz_service import CALLBACK, AuthzService, authorize_parameters
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

REFUSALS: list[tuple[dict[str, str | None], str, str, tuple[str, str]]] = [
    ({"client_id": None}, "AUTHZ-002", "client", ("", "missing")),
    ({"client_id": "unknown-client"}, "AUTHZ-003", "client", ("unknow\u2026 (14 characters)", "unknown")),
    ({"redirect_uri": None}, "AUTHZ-004", "redirect_uri", ("", "missing")),
    ({"redirect_uri": f"{CALLBACK}/"}, "AUTHZ-005", "redirect_uri", (f"{CALLBACK}/", "trailing_slash")),
    ({"redirect_uri": CALLBACK.upper()}, "AUTHZ-005", "redirect_uri", (f"https:{CALLBACK.upper()[6:]}", "case")),
    ({"response_type": None}, "AUTHZ-006", "response_type", ("", "missing")),
    ({"response_type": "code nope"}, "AUTHZ-007", "response_type", ("code (and 1 other)", "")),
    ({"response_mode": "post"}, "AUTHZ-009", "response_mode", ("(and 1 other)", "")),
    ({"request": "eyJ"}, "AUTHZ-010", "request_objects", ("request", "")),
    ({"resource": "https://api.example/orders"}, "AUTHZ-280", "resource", ("https://api.example/orders", "unknown")),
    ({"resource": "https://mcp.example/v1/"}, "AUTHZ-280", "resource", ("https://mcp.example/v1/", "trailing_slash")),
    ({"resource": "https://MCP.example/v2"}, "AUTHZ-280", "resource", ("https://MCP.example/v2", "trailing_slash")),
    ({"resource": "https://mcp.example/v3"}, "AUTHZ-280", "resource", ("https://mcp.example/v3", "unknown")),
    ({"scope": "email secret-word"}, "AUTHZ-013", "scope", ("email (and 1 other)", "")),
    ({"scope": "email,openid"}, "AUTHZ-090", "scope", ("(and 1 other)", "malformed")),
    ({"code_challenge_method": "S256"}, "AUTHZ-016", "pkce", ("S256", "missing")),
    (
        {"code_challenge": CHALLENGE, "code_challenge_method": "plain"},
        "AUTHZ-017",
        "pkce",
        ("plain (43 characters)", ""),
    ),
    (
        {"code_challenge": "short", "code_challenge_method": "S256"},
        "AUTHZ-018",
        "pkce",
        ("S256 (5 characters)", "malformed"),
    ),
    ({"prompt": "none login"}, "AUTHZ-019", "prompt", ("none login", "")),
    ({"prompt": "sudo"}, "AUTHZ-020", "prompt", ("(and 1 other)", "")),
    ({"max_age": "soon"}, "AUTHZ-022", "max_age", ("(4 characters)", "malformed")),
    ({"prompt": "none", "id_token_hint": "x"}, "AUTHZ-023", "id_token_hint", ("(1 characters)", "malformed")),
    ({"claims": "{"}, "AUTHZ-024", "claims", ("(1 characters)", "malformed")),
    ({"prompt": "none"}, "AUTHZ-025", "session", ("prompt=none", "")),
]

SECRETS = [f"canary-{number:03}" for number in range(250)]


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    service = AuthzService(clock, bus)
    service.peers.apis["web"] = (Api("mcp", ("https://mcp.example/v1", "https://mcp.example/v2/"), ("read",)),)
    return service


async def diagnostics_of(authz: AuthzService) -> list[Diagnostic]:
    await authz.assembly.traces.settle()
    return [trace for _, message in authz.bus.reported for trace in message.traces]


async def refused_check(authz: AuthzService) -> tuple[Diagnostic, DiagnosticCheck]:
    """Returns the only record and its last check; all others passed."""
    [trace] = await diagnostics_of(authz)
    *passed, refused = trace.checks
    assert all(check.passed for check in passed)
    assert not refused.passed
    return trace, refused


@pytest.mark.parametrize(("changes", "error_id", "name", "shown"), REFUSALS)
async def test_refused_request_is_recorded(
    authz: AuthzService, changes: dict[str, str | None], error_id: str, name: str, shown: tuple[str, str]
) -> None:
    """The record has the request id, the error, the client and the failed check with its compared values."""
    response = await authz.browser().authorize(**changes)
    trace, refused = await refused_check(authz)

    assert trace.request_id == response.headers["x-request-id"]
    assert (trace.endpoint, trace.outcome) == ("authorization", "refused")
    assert (trace.error_id, refused.name) == (error_id, name)
    assert (refused.given, refused.hint) == shown
    assert trace.client_known == ("client_id" not in changes)
    assert bool(trace.app_id) == ("client_id" not in changes)


async def test_missing_pkce_of_a_public_client_is_explained(authz: AuthzService) -> None:
    authz.peers.register("spa", auth_method=AuthMethod.NONE)
    await authz.browser().authorize(client_id="spa")
    trace, refused = await refused_check(authz)

    assert (trace.error_id, refused.name, refused.hint) == ("AUTHZ-016", "pkce", "missing")
    assert "code_challenge_method=S256" in refused.wanted


async def test_registered_uris_are_named(authz: AuthzService) -> None:
    """Users who may read the application see its registered URIs next to the one sent."""
    await authz.browser().authorize(redirect_uri="https://elsewhere.example/cb?token=secret-1")
    _, refused = await refused_check(authz)

    assert refused.given == "https://elsewhere.example/cb?\u2026"
    assert CALLBACK in refused.wanted
    assert refused.hint == "host"


async def test_refused_logout_is_recorded(authz: AuthzService) -> None:
    await authz.browser().end_session(client_id="web", post_logout_redirect_uri="https://elsewhere.example/?x=secret-1")
    trace, refused = await refused_check(authz)

    assert (trace.endpoint, trace.error_id, trace.client_id) == ("end_session", "AUTHZ-054", "web")
    assert (refused.name, refused.given) == ("post_logout_redirect_uri", "https://elsewhere.example/?\u2026")


async def test_lost_login_is_recorded(authz: AuthzService) -> None:
    await authz.browser().ask_raw("00" + "x" * 43)
    trace, refused = await refused_check(authz)

    assert (trace.endpoint, trace.error_id, refused.name) == ("login", "AUTHZ-030", "request")


async def test_successful_sign_in_is_recorded(authz: AuthzService) -> None:
    await authz.browser().sign_in()
    [trace] = await diagnostics_of(authz)

    assert (trace.endpoint, trace.outcome, trace.client_id, trace.user_id) == ("authorization", "issued", "web", "")


async def test_requests_are_answered_while_the_bus_is_unavailable(authz: AuthzService) -> None:
    authz.bus.silent.add(RECORD_TRACES.subject)
    response = await authz.browser().authorize(scope="email")
    await authz.assembly.traces.settle()

    assert response.status_code == 303


async def test_diagnostics_contain_no_secrets(authz: AuthzService) -> None:
    """None of 220 canaries in parameters, cookies, queries and paths appears in a record (IN-09)."""
    browser = authz.browser()
    canaries = iter(SECRETS)
    for changes, *_ in REFUSALS:
        await browser.authorize(**{**_everywhere(canaries), **changes})
    for name in ("client_id", "redirect_uri", "scope", "prompt", "max_age", "response_type", "claims"):
        await browser.authorize(**{name: f"x{next(canaries)}"})
    await browser.authorize(redirect_uri=f"https://{next(canaries)}:{next(canaries)}@app.example/cb?c={next(canaries)}")
    await browser.end_session(id_token_hint=next(canaries), client_id="web", state=next(canaries))
    await browser.end_session(
        client_id="web", post_logout_redirect_uri=f"https://e.example/?c={next(canaries)}", logout_hint=next(canaries)
    )
    await browser.ask_raw(next(canaries))
    await browser.post(http.AUTHORIZE, authorize_parameters(scope=next(canaries), login_hint=next(canaries)))
    for left in canaries:
        await browser.authorize(client_id=f"{left}@example.test")
    traces = await diagnostics_of(authz)
    text = b"".join(map(encode, traces)).decode()

    assert len(traces) >= len(REFUSALS) + 30
    assert "canary-" not in text


def _everywhere(canaries: Iterator[str]) -> dict[str, str]:
    names = ("state", "nonce", "login_hint", "ui_locales", "acr_values", "display", "claims_locales", "canary")
    return {name: next(canaries) for name in names}
