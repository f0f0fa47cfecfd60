"""Errors of the token endpoint through the gateway: each grant, authentication method, error and kind of header
once.

The complete table for every grant and method is in `services/token/tests/protocol/test_error_matrix.py`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import httpx
import pytest
from portico_scenarios.agent import Agent
from portico_scenarios.participants import ALICE
from portico_scenarios.relying_party import begin
from portico_scenarios.token_requests import (
    CODE,
    CREDENTIALS,
    EVERY_CALL,
    JWT_BEARER,
    REFRESH,
    Call,
    Spoil,
    be_an_application,
    be_another_client,
    be_unknown,
    be_without_refresh,
    good,
    having,
    repeating,
    revoke_before,
    send_wrong_secret,
    use_before,
    use_client_assertion_twice,
    use_strange_key,
    use_two_mechanisms,
    use_unknown_scheme,
    without,
)
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

BASIC, POST, NONE, SIGNED = "client_secret_basic", "client_secret_post", "none", "private_key_jwt"
ROWS: Final[tuple[tuple[str, str, str, Spoil, str], ...]] = (
    ("parameter missing", CODE, BASIC, without("redirect_uri"), "invalid_request"),
    ("parameter repeated", CODE, NONE, repeating("grant_type"), "invalid_request"),
    ("two mechanisms", CREDENTIALS, BASIC, use_two_mechanisms, "invalid_request"),
    ("body unreadable", REFRESH, POST, repeating("%ff"), "invalid_request"),
    ("scope wider than granted", REFRESH, NONE, having(scope="openid email"), "invalid_scope"),
    ("scope of another organization", JWT_BEARER, "assertion", having(scope="urn:portico:org:id:e2e-other-org"),
     "invalid_scope"),
    ("application without refresh tokens", REFRESH, BASIC, be_without_refresh, "unauthorized_client"),
    ("application asks for client_credentials", CREDENTIALS, POST, be_an_application, "unauthorized_client"),
    ("grant_type unknown", CODE, POST, having(grant_type="password"), "unsupported_grant_type"),
    ("code used", CODE, SIGNED, use_before, "invalid_grant"),
    ("refresh token revoked", REFRESH, SIGNED, revoke_before, "invalid_grant"),
    ("refresh token of another client", REFRESH, BASIC, be_another_client, "invalid_grant"),
    ("assertion used", JWT_BEARER, "assertion", use_before, "invalid_grant"),
    ("secret wrong, in the header", CODE, BASIC, send_wrong_secret, "invalid_client"),
    ("secret wrong, in the body", REFRESH, POST, send_wrong_secret, "invalid_client"),
    ("client unknown", CREDENTIALS, BASIC, be_unknown, "invalid_client"),
    ("public client unknown", CODE, NONE, be_unknown, "invalid_client"),
    ("key unknown", CODE, SIGNED, use_strange_key, "invalid_client"),
    ("client assertion used", REFRESH, SIGNED, use_client_assertion_twice, "invalid_client"),
    ("scheme of the header unknown", CODE, SIGNED, use_unknown_scheme, "invalid_client"),
)  # fmt: skip
"""The fault, the grant, the authentication method, the change of the request, and the error."""


@pytest.fixture(scope="module")
async def alice(world: World) -> AsyncIterator[Agent]:
    async with world.agent() as agent:
        await agent.sign_in(begin(world.metadata, world.clients["basic"]).url, ALICE.login_name, ALICE.password)
        yield agent


async def test_every_grant_with_every_method_gets_tokens(world: World, alice: Agent) -> None:
    """A valid request of each grant and method gets 200 with no-store, so that the errors below have one cause each."""
    wrong = {}
    for grant, method in EVERY_CALL:
        answer = await (await good(world, alice, grant, method)).send()
        shown = (answer.status_code, answer.headers["cache-control"], answer.headers["pragma"])
        if shown != (200, "no-store", "no-cache"):
            wrong[grant, method] = (shown, answer.text)

    assert wrong == {}


async def test_each_error_has_its_status_body_and_headers(world: World, alice: Agent) -> None:
    """Each error of RFC 6749 §5.2 passes the gateway with its status, JSON body, no-store and challenge."""
    wrong = {}
    for condition, grant, method, spoil, error in ROWS:
        call = await good(world, alice, grant, method)
        if (spoiling := spoil(call)) is not None:
            await spoiling
        answer = await call.send()
        if _seen(answer) != _expected(call, error):
            wrong[condition] = (_seen(answer), answer.text)

    assert wrong == {}


def _seen(answer: httpx.Response) -> tuple[object, ...]:
    body, headers = answer.json(), answer.headers
    challenged = headers.get("www-authenticate", "").startswith("Basic ")
    stored = (headers["cache-control"], headers["pragma"], headers["content-type"])
    return answer.status_code, body["error"], set(body), stored, challenged


def _expected(call: Call, error: str) -> tuple[object, ...]:
    status = 401 if error == "invalid_client" else 400
    challenged = status == 401 and "Authorization" in call.headers
    return status, error, {"error", "error_description"}, ("no-store", "no-cache", "application/json"), challenged
