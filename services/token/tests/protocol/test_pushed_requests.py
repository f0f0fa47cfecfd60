"""The pushed authorization request endpoint (RFC 9126): client authentication as at the token endpoint."""

from __future__ import annotations

from typing import Any

import httpx
import msgspec
import pytest
from portico_contracts import http
from portico_contracts.authz import PushRequest
from portico_contracts.users import AuthMethod
from portico_fakes.assertions import ASSERTION_TYPE, claims_of, registered, sign
from portico_fakes.token_service import CALLBACK, ISSUER, SECRET, TokenService, basic_header
from portico_harness.rows import row
from portico_oauth.jose import SigningKey

KEY = SigningKey.generate("key-1", "ES256")
SENT = {"response_type": "code", "redirect_uri": CALLBACK, "scope": "openid", "state": "s"}
BASIC = {"Authorization": basic_header("web", SECRET)}


@pytest.fixture(autouse=True)
def _web(token_service: TokenService) -> None:
    token_service.register("web")


async def push(service: TokenService, headers: dict[str, str], **form: str) -> httpx.Response:
    return await service.http.post(http.PUSHED_REQUESTS, data={**SENT, **form}, headers=headers)


def assertion_for(service: TokenService, audience: Any) -> dict[str, str]:
    text = sign(KEY, claims_of("signer", audience, service.clock.now()))
    return {"client_assertion_type": ASSERTION_TYPE, "client_assertion": text}


async def test_request_uri_is_returned(token_service: TokenService) -> None:
    """201 with request_uri and expires_in (RFC 9126 section 2.2); credentials are not passed on."""
    answer = await push(token_service, {}, client_id="web", client_secret=SECRET, resource="x")
    [message] = token_service.authz.pushed

    assert (answer.status_code, answer.headers["cache-control"]) == (201, "no-store")
    assert answer.json() == {"request_uri": "urn:ietf:params:oauth:request_uri:1", "expires_in": 60}
    assert message == PushRequest(client_id="web", parameters={**SENT, "resource": "x"}, client_address="")


async def test_client_is_the_authenticated_one(token_service: TokenService) -> None:
    """A client_id of another client is refused, a missing one is added (RFC 9126 section 2.1)."""
    added = await push(token_service, BASIC)
    foreign = await push(token_service, BASIC, client_id="other")

    assert (added.status_code, foreign.status_code) == (201, 400)
    assert [message.client_id for message in token_service.authz.pushed] == ["web"]


async def test_unauthenticated_client_stores_nothing(token_service: TokenService) -> None:
    for headers, form in (
        ({}, {}),
        ({}, {"client_id": "web"}),
        ({}, {"client_id": "web", "client_secret": "wrong"}),
        ({}, {"client_id": "nobody"}),
        ({"Authorization": basic_header("web", "wrong")}, {}),
    ):
        with row(headers, form):
            answer = await push(token_service, headers, **form)

            assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client")
            assert token_service.authz.pushed == []


async def test_only_post_is_allowed(token_service: TokenService) -> None:
    """Every other method is 405 (RFC 9126 section 2.1), also with a request that could be pushed."""
    for method in ("GET", "PUT", "DELETE", "PATCH", "HEAD"):
        with row(method):
            answer = await token_service.http.request(method, http.PUSHED_REQUESTS, params=SENT, headers=BASIC)

            assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
            assert token_service.authz.pushed == []


async def test_public_client_is_limited_by_its_address(token_service: TokenService) -> None:
    """A client_id alone proves nothing, so the stored requests of an address are limited."""
    token_service.register("spa", AuthMethod.NONE)
    answer = await push(token_service, {}, client_id="spa")
    [message] = token_service.authz.pushed

    assert answer.status_code == 201
    assert message.client_address


async def test_audience_of_assertions(token_service: TokenService) -> None:
    """The issuer, the token endpoint and this endpoint (RFC 9126 section 2)."""
    for aud, status in (
        (ISSUER, 201),
        (ISSUER + http.PUSHED_REQUESTS, 201),
        (ISSUER + http.TOKEN, 201),
        (ISSUER + http.REVOKE, 401),
        ([ISSUER, ISSUER + http.REVOKE], 401),
    ):
        with row(aud, status):
            token_service.register("signer", AuthMethod.PRIVATE_KEY_JWT, keys=(registered(KEY),))

            assert (await push(token_service, {}, **assertion_for(token_service, aud))).status_code == status


async def test_client_bound_to_the_issuer(token_service: TokenService) -> None:
    """Its assertions name only the issuer, here too (FAPI 2.0 Security Profile)."""
    client = token_service.register("signer", AuthMethod.PRIVATE_KEY_JWT, keys=(registered(KEY),))
    token_service.users.clients["signer"] = msgspec.structs.replace(client, issuer_audience_only=True)
    audiences = (ISSUER, ISSUER + http.PUSHED_REQUESTS, ISSUER + http.TOKEN, [ISSUER])
    answers = [await push(token_service, {}, **assertion_for(token_service, aud)) for aud in audiences]

    assert [answer.status_code for answer in answers] == [201, 401, 401, 401]


async def test_repeated_parameter_reaches_the_checks(token_service: TokenService) -> None:
    """Only authz knows which parameters may not be repeated; one of the token endpoint is refused before."""
    body = httpx.QueryParams([*SENT.items(), ("state", "other")])
    headers = {**BASIC, "Content-Type": "application/x-www-form-urlencoded"}
    await token_service.http.post(http.PUSHED_REQUESTS, content=str(body), headers=headers)
    [message] = token_service.authz.pushed
    scope = await token_service.http.post(http.PUSHED_REQUESTS, content=f"{body}&scope=x", headers=headers)

    assert message.repeated == ("state",)
    assert (scope.status_code, scope.json()["error"]) == (400, "invalid_request")


async def test_refusal_of_authz_is_returned_as_json(token_service: TokenService) -> None:
    answer = await push(token_service, BASIC, scope="refused")

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_scope")
    assert answer.headers["cache-control"] == "no-store"
