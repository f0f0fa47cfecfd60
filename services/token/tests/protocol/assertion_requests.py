"""Requests for identity assertions, and what they get."""

from __future__ import annotations

from typing import Any

import jwt
from portico_contracts.diagnostics import Diagnostic, DiagnosticCheck
from portico_contracts.users import AssertionRequested
from portico_fakes.token_service import SECRET, TokenService
from portico_oauth.grant_types import AUTHORIZATION_CODE, REFRESH_TOKEN, TOKEN_EXCHANGE
from portico_token.grants.identity_assertion import ASSERTION_REFUSED, ASSERTION_SCOPE, ASSERTION_TARGET
from portico_token.grants.token_exchange import UNSUPPORTED_PARAMETER, UNSUPPORTED_TOKEN_TYPE

from .test_diagnostics import diagnostics_of

JAG = "urn:ietf:params:oauth:token-type:id-jag"
ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token"
OF_REFRESH = "urn:ietf:params:oauth:token-type:refresh_token"
CHAT = "https://auth.chat.example"
MCP = "https://mcp.chat.example"
GIVEN = AssertionRequested(audience=CHAT, client_id="assistant-at-chat", resources=(MCP,), scope=("chat.read",))
CODES = (ASSERTION_TARGET, ASSERTION_SCOPE, ASSERTION_REFUSED, UNSUPPORTED_TOKEN_TYPE, UNSUPPORTED_PARAMETER)
IDS = {code.text: code.id for code in CODES}
GRANTS = (AUTHORIZATION_CODE, REFRESH_TOKEN, TOKEN_EXCHANGE)


def offering(service: TokenService) -> TokenService:
    """With two applications, of which the first gets assertions."""
    service.register("assistant", grant_types=GRANTS)
    service.register("other", grant_types=GRANTS)
    service.users.assertion = GIVEN
    return service


async def signed_in(service: TokenService, client: str = "assistant", **fields: Any) -> dict[str, Any]:
    answer = await service.redeem(service.issue_code(client, scope=("openid", "offline_access"), **fields), client)
    assert answer.status_code == 200, answer.text
    tokens: dict[str, Any] = answer.json()
    return tokens


async def ask(
    service: TokenService, subject: str, kind: str = ID_TOKEN, /, headers: dict[str, str] | None = None, **form: str
) -> Any:
    wanted = {"audience": CHAT, "resource": MCP, "scope": "chat.read chat.history", **form}
    members = {"requested_token_type": JAG, "subject_token": subject, "subject_token_type": kind, **wanted}
    exchange = {"grant_type": TOKEN_EXCHANGE, **members}
    return await service.token(exchange, basic=("assistant", SECRET), headers=headers or {})


def claims_of(answer: Any) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    claims: dict[str, Any] = jwt.decode(answer.json()["access_token"], options={"verify_signature": False})
    return claims


async def refusal(service: TokenService, subject: str, kind: str = ID_TOKEN) -> tuple[int, bytes]:
    answer = await ask(service, subject, kind)
    return answer.status_code, answer.content.replace(answer.headers["x-request-id"].encode(), b"")


async def last_refused(service: TokenService) -> tuple[Diagnostic, DiagnosticCheck]:
    trace = [one for one in await diagnostics_of(service) if one.outcome == "refused"][-1]
    return trace, trace.checks[-1]


def error_of(answer: Any) -> tuple[int, str, str]:
    body = answer.json()
    return answer.status_code, body["error"], IDS.get(body["error_description"], "")
