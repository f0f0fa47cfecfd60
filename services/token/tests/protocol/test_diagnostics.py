"""Diagnostics of refused requests, and what they must not contain."""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path
from typing import Any

import pytest
from portico_contracts import http
from portico_contracts.diagnostics import RECORD_TRACES, Diagnostic, DiagnosticCheck
from portico_contracts.subjects import encode
from portico_contracts.users import Api, AuthMethod
from portico_fakes.token_service import CALLBACK, SECRET, TokenService, basic_header
from portico_token import diagnostics

REFUSALS: list[tuple[dict[str, str], tuple[str, str] | None, tuple[str, str, str, str]]] = [
    ({}, None, ("TOKEN-001", "grant_type", "", "missing")),
    ({"grant_type": "canary"}, None, ("TOKEN-002", "grant_type", "(6 characters)", "unknown")),
    ({"grant_type": "authorization_code"}, None, ("TOKEN-013", "client_authentication", "", "missing")),
    (
        {"grant_type": "authorization_code"},
        ("web", "canary-secret"),
        ("TOKEN-015", "client_authentication", "client_secret_basic", "wrong_secret"),
    ),
    (
        {"grant_type": "authorization_code"},
        ("unknown-client", SECRET),
        ("TOKEN-015", "client_authentication", "client_secret_basic", "unknown"),
    ),
    (
        {"grant_type": "authorization_code", "client_id": "strict", "client_secret": SECRET},
        None,
        ("TOKEN-137", "client_authentication", "client_secret_post", "other_method"),
    ),
    (
        {"grant_type": "authorization_code", "client_id": "web"},
        None,
        ("TOKEN-015", "client_authentication", "none", "other_method"),
    ),
    (
        {"grant_type": "refresh_token"},
        ("web", SECRET),
        ("TOKEN-003", "grant_type_allowed", "refresh_token", ""),
    ),
    ({"grant_type": "authorization_code"}, ("web", SECRET), ("TOKEN-030", "grant", "", "missing")),
]


async def diagnostics_of(service: TokenService) -> list[Diagnostic]:
    """Returns the recorded diagnostics after the background work ran."""
    for _ in range(50):
        await asyncio.sleep(0)
    reported: Any = service.bus.reported  # type: ignore[attr-defined]
    traces = [message for subject, message in reported if subject == RECORD_TRACES.subject]
    return [trace for message in traces for trace in message.traces]


async def refused_check(service: TokenService) -> tuple[Diagnostic, DiagnosticCheck]:
    """Returns the only record and its last check; all others passed."""
    [trace] = await diagnostics_of(service)
    *passed, refused = trace.checks
    assert all(check.passed for check in passed)
    assert not refused.passed
    return trace, refused


@pytest.mark.parametrize(("form", "basic", "expected"), REFUSALS)
async def test_refused_token_request_is_recorded(
    token_service: TokenService,
    form: dict[str, str],
    basic: tuple[str, str] | None,
    expected: tuple[str, str, str, str],
) -> None:
    """The record has the request id, the error, and the failed check with its compared values."""
    token_service.register("strict", strict_auth_method=True)
    response = await token_service.token(form, basic=basic)
    trace, refused = await refused_check(token_service)

    assert trace.request_id == response.headers["x-request-id"]
    assert (trace.endpoint, trace.error) == ("token", response.json()["error"])
    assert (trace.error_id, refused.name, refused.given, refused.hint) == expected


@pytest.mark.parametrize(
    ("resource", "wanted", "hint"),
    [
        ("https://mcp.example/v1/", ("https://mcp.example/v1",), "trailing_slash"),
        ("https://mcp.example/v2", ("https://mcp.example/v2/",), "trailing_slash"),
        ("https://mcp.example/v3", (), "not_allowed"),
    ],
)
async def test_slash_of_a_resource_is_named(
    token_service: TokenService, resource: str, wanted: tuple[str, ...], hint: str
) -> None:
    """The registered resource is shown if only a slash at its end differs."""
    token_service.register_service_user("robot")
    resources = ("https://mcp.example/v1", "https://mcp.example/v2/")
    token_service.users.apis["robot"] = (Api("mcp", resources, ("read",)),)
    await token_service.client_credentials("robot", scope="read", resource=resource)
    trace, refused = await refused_check(token_service)

    assert (trace.error_id, refused.given, refused.wanted, refused.hint) == ("TOKEN-292", resource, wanted, hint)


def test_every_error_names_a_check_of_an_endpoint() -> None:
    """Diagnostics show an error whose check has a misspelt name without any check."""
    sources = [ast.parse(path.read_text()) for path in Path(diagnostics.__file__).parent.rglob("*.py")]
    calls = [node for source in sources for node in ast.walk(source) if isinstance(node, ast.Call)]
    named = [call.args[0] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Compared"]
    names = {name.value for name in named if isinstance(name, ast.Constant)}

    assert {"form", "grant", "bearer"} < names
    assert names <= {check for checks in diagnostics.CHECKS.values() for check in checks}


async def test_wrong_secret_is_recorded_for_its_application(token_service: TokenService) -> None:
    """The record of an unknown application shows only the beginning of its id."""
    await token_service.token({"grant_type": "authorization_code"}, basic=("web", "wrong"))
    await token_service.token({"grant_type": "authorization_code"}, basic=("unknown-client", "wrong"))
    known, unknown = await diagnostics_of(token_service)

    assert (known.client_id, known.client_known, known.app_id, known.org_id) == ("web", True, "app-web", "org-1")
    assert (unknown.client_known, unknown.app_id, unknown.org_id) == (False, "", "")
    assert unknown.client_id == "unknow\u2026 (14 characters)"


async def test_success_is_recorded_without_its_user(token_service: TokenService) -> None:
    code = token_service.issue_code("web")
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK}
    response = await token_service.token(form, basic=("web", SECRET))
    [trace] = await diagnostics_of(token_service)

    assert response.status_code == 200
    assert (trace.endpoint, trace.outcome, trace.client_id, trace.user_id) == ("token", "issued", "web", "")


async def test_success_names_the_dropped_scopes(token_service: TokenService) -> None:
    """A project that the application may not name is missing from the scope and listed in the diagnostics
    (decision 0085).
    """
    token_service.register("web")
    foreign = "urn:portico:project:id:theirs:aud"
    await token_service.redeem(token_service.issue_code("web", scope=("openid", foreign)), "web")
    [trace] = await diagnostics_of(token_service)

    assert [(check.name, check.given, check.hint) for check in trace.checks] == [("scope", foreign, "not_allowed")]


async def test_other_endpoints_record_diagnostics(token_service: TokenService) -> None:
    headers = {"Authorization": basic_header("web", "wrong")}
    await token_service.http.post(http.INTROSPECT, data={"token": "canary"}, headers=headers)
    await token_service.http.post(http.REVOKE, data={"token": "canary"}, headers=headers)
    await token_service.http.post(http.PUSHED_REQUESTS, headers=headers, data={"state": "canary"})
    await token_service.http.get(http.USERINFO, headers={"Authorization": "Bearer canary"})
    traces = await diagnostics_of(token_service)

    assert [(trace.endpoint, trace.error_id) for trace in traces] == [
        ("introspection", "TOKEN-015"),
        ("revocation", "TOKEN-015"),
        ("pushed_authorization", "TOKEN-015"),
        ("userinfo", "TOKEN-064"),
    ]


async def test_diagnostics_contain_no_secret(token_service: TokenService) -> None:
    """Secrets, codes, tokens, verifiers, assertions and misplaced values appear in no record (IN-09)."""
    token_service.register("spa", AuthMethod.NONE)
    names = (
        "code",
        "code_verifier",
        "refresh_token",
        "assertion",
        "client_assertion",
        "scope",
        "redirect_uri",
        "state",
    )
    for number in range(25):
        everywhere = {name: f"canary-{number}-{name}" for name in names}
        await token_service.token({"grant_type": f"canary-{number}", **everywhere})
        await token_service.token(everywhere | {"grant_type": "authorization_code", "client_id": f"canary@{number}"})
        one = dict(list(everywhere.items())[number % 8 :][:1])
        form = {"grant_type": "authorization_code", **one}
        await token_service.token(form, basic=("web", f"canary-{number}"))
        await token_service.token({**form, "client_id": "spa"})
    text = b"".join(map(encode, await diagnostics_of(token_service))).decode()

    assert "TOKEN-002" in text
    assert "canary" not in text


async def test_requests_are_answered_while_the_bus_is_unavailable(token_service: TokenService) -> None:
    silent: set[str] = token_service.bus.silent  # type: ignore[attr-defined]
    silent.add(RECORD_TRACES.subject)
    response = await token_service.token({"grant_type": "authorization_code"}, basic=("web", SECRET))

    assert response.json()["error"] == "invalid_request"


async def test_refusal_of_a_pushed_request_is_recorded_by_authz(token_service: TokenService) -> None:
    """Authz knows what its checks compared, so it is not recorded here again."""
    token_service.register("web")
    headers = {"Authorization": basic_header("web", SECRET)}
    refused = await token_service.http.post(http.PUSHED_REQUESTS, data={"scope": "refused"}, headers=headers)

    assert refused.status_code == 400
    assert await diagnostics_of(token_service) == []
