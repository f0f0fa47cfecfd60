"""Nonces of DPoP proofs, which an application may have to use (RFC 9449 sections 8 and 9)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from portico_contracts import http
from portico_contracts.token import AUTHENTICATE_BEARER, AuthenticateBearer
from portico_contracts.users import AuthMethod, Dpop
from portico_fakes.assertion_uses import KEY, STRANGE, assertion_use_of
from portico_fakes.assertions import ASSERTION_TYPE, sign
from portico_fakes.clock import FrozenClock
from portico_fakes.dpop_proofs import Prover
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import CALLBACK, ISSUER, SECRET, TokenService, basic_header, token_service_in_memory
from portico_oauth.errors import ERROR_CODES, Kind, ServiceError
from portico_oauth.jose import SigningKey
from portico_oauth.scopes import OWN_PROJECT

MANAGEMENT = "/management/v1/projects/_search"
SCOPE = ("openid", "urn:portico:project:id:portico:aud")
NONCE = "DPoP-Nonce"
Call = Callable[..., Awaitable[httpx.Response]]


@pytest.fixture
def prover(token_service: TokenService) -> Prover:
    demand_nonces(token_service)
    return Prover(ISSUER, token_service.clock.now())


def demand_nonces(service: TokenService, *, demanded: bool = True) -> None:
    origins = ("https://app.example.test",)
    fields: dict[str, Any] = {
        "dpop": Dpop.ALLOWED,
        "dpop_nonce": demanded,
        "management_access": True,
        "origins": origins,
    }
    service.register("web", access_token_type="opaque", **fields)


async def at_token(service: TokenService, prover: Prover, **claims: Any) -> httpx.Response:
    code = service.issue_code("web", scope=SCOPE)
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK}
    return await service.token(form, basic=("web", SECRET), headers=prover.headers(http.TOKEN, **claims))


async def at_pushed_requests(service: TokenService, prover: Prover, **claims: Any) -> httpx.Response:
    headers = {"Authorization": basic_header("web", SECRET), **prover.headers(http.PUSHED_REQUESTS, **claims)}
    return await service.http.post(http.PUSHED_REQUESTS, data={"scope": "openid"}, headers=headers)


async def at_userinfo(service: TokenService, prover: Prover, **claims: Any) -> httpx.Response:
    token = await bound_token(service, prover)
    headers = prover.headers(http.USERINFO, method="GET", token=token, **claims)
    return await service.http.get(http.USERINFO, headers=headers)


async def bound_token(service: TokenService, prover: Prover) -> str:
    nonce = (await at_token(service, prover)).headers[NONCE]
    token: str = (await at_token(service, prover, nonce=nonce)).json()["access_token"]
    return token


SURFACES: dict[str, tuple[Call, int]] = {
    "token": (at_token, 400),
    "pushed requests": (at_pushed_requests, 400),
    "userinfo": (at_userinfo, 401),
}


@pytest.mark.parametrize("surface", SURFACES)
async def test_nonce_is_demanded_and_sent(token_service: TokenService, prover: Prover, surface: str) -> None:
    """The refusal has a nonce, with which the same request succeeds; the answer has the next one."""
    call, status = SURFACES[surface]
    refused = await call(token_service, prover)
    accepted = await call(token_service, prover, nonce=refused.headers[NONCE])

    body = refused.json()
    assert (refused.status_code, body["error"]) == (status, "use_dpop_nonce")
    assert body["error_description"] == ERROR_CODES["TOKEN-311"].text
    assert accepted.is_success
    assert accepted.headers[NONCE] == refused.headers[NONCE]
    if surface == "userinfo":
        assert refused.headers["www-authenticate"].startswith('DPoP algs="RS256 ES256 EdDSA", error="use_dpop_nonce"')


async def test_refused_nonce_consumes_nothing(token_service: TokenService, prover: Prover) -> None:
    """Code and proof can be sent again: the proof is not marked as used."""
    await at_token(token_service, prover)
    await at_token(token_service, prover, nonce="x")

    assert not [one for one in token_service.authz.codes.values() if one.used]


@pytest.mark.parametrize("path", [http.TOKEN, http.PUSHED_REQUESTS])
async def test_assertion_may_be_sent_again_with_a_nonce(token_service: TokenService, prover: Prover, path: str) -> None:
    """Some libraries sign only the proof again: a refused nonce uses up no client assertion, an accepted one does (JW-10)."""
    use = assertion_use_of("private_key_jwt", token_service)
    keys = token_service.users.clients["signer"].keys
    origins = ("https://app.example.test",)
    token_service.register(
        "signer", AuthMethod.PRIVATE_KEY_JWT, keys=keys, dpop=Dpop.REQUIRED, dpop_nonce=True, origins=origins
    )
    form = {"client_assertion_type": ASSERTION_TYPE, "client_assertion": use.signed(), "scope": "openid"}
    grant = {"grant_type": "authorization_code", "code": token_service.issue_code("signer"), "redirect_uri": CALLBACK}

    async def send(**claims: Any) -> httpx.Response:
        headers = {"Origin": origins[0], **prover.headers(path, **claims)}
        return await token_service.http.post(path, data=form | (grant if path == http.TOKEN else {}), headers=headers)

    refused = await send()
    nonce = refused.headers[NONCE]
    accepted = await send(nonce=nonce)
    again = await send(nonce=nonce)

    assert (refused.status_code, refused.json()["error"]) == (400, "use_dpop_nonce")
    assert refused.headers["access-control-allow-origin"] == origins[0]
    assert accepted.is_success
    assert (again.status_code, again.json()["error"]) == (401, "invalid_client")


async def test_stranger_gets_no_nonce(token_service: TokenService, prover: Prover) -> None:
    """Only the client itself learns that it needs one: a wrong assertion is refused as that of an unknown client (P9)."""
    use = assertion_use_of("private_key_jwt", token_service)
    keys = token_service.users.clients["signer"].keys
    token_service.register("signer", AuthMethod.PRIVATE_KEY_JWT, keys=keys, dpop=Dpop.REQUIRED, dpop_nonce=True)
    form = {"grant_type": "authorization_code", "client_assertion_type": ASSERTION_TYPE}
    refused = [
        await token_service.token(
            form | {"client_assertion": sign(STRANGE, use.claims(iss=client, sub=client), kid=KEY.kid)},
            headers=prover.headers(http.TOKEN),
        )
        for client in ("signer", "unknown")
    ]

    assert [(one.status_code, one.headers.get(NONCE)) for one in refused] == [(401, None)] * 2
    assert refused[0].content == refused[1].content


@pytest.mark.parametrize("nonce", ["", "x" * 27, "é" * 27, "x" * 4, 7, None, ["x"]])
async def test_other_nonces_are_refused(token_service: TokenService, prover: Prover, nonce: Any) -> None:
    """Of any type: the answer is a nonce to use, never an error of the server."""
    answer = await at_token(token_service, prover, nonce=nonce)

    assert (answer.status_code, answer.json()["error"]) == (400, "use_dpop_nonce")


async def test_replicas_accept_the_nonces_of_each_other(
    token_service: TokenService, prover: Prover, signing_keys: tuple[SigningKey, ...], clock: FrozenClock
) -> None:
    """The key comes from the signing keys, which they share; those of another installation are not accepted."""
    nonce = (await at_token(token_service, prover)).headers[NONCE]
    others = [SigningKey.generate("ES256-1", "ES256")]
    seen = []
    for keys in (signing_keys, others):
        replica = token_service_in_memory(clock, MemoryBus(), MemoryGrants(), keys)
        demand_nonces(replica)
        async with replica.running():
            seen.append((await at_token(replica, prover, nonce=nonce)).status_code)

    assert seen == [200, 400]


async def test_others_get_no_nonce(token_service: TokenService, prover: Prover) -> None:
    """Where the application need not use them, and for requests without a proof."""
    form = {"grant_type": "authorization_code", "code": token_service.issue_code("web"), "redirect_uri": CALLBACK}
    bearer = await token_service.token(form, basic=("web", SECRET))
    demand_nonces(token_service, demanded=False)
    await token_service.publish_app_changed()
    without = await at_token(token_service, prover, nonce="of another server")

    assert [one.status_code for one in (bearer, without)] == [200, 200]
    assert [one.headers.get(NONCE) for one in (bearer, without)] == [None, None]


async def test_page_may_read_the_nonce(token_service: TokenService, prover: Prover) -> None:
    """In answers and in errors (Fetch section 3.2.3)."""
    form = {"grant_type": "authorization_code", "code": token_service.issue_code("web"), "redirect_uri": CALLBACK}
    headers = {"Origin": "https://app.example.test", **prover.headers(http.TOKEN)}
    refused = await token_service.token(form, basic=("web", SECRET), headers=headers)

    assert NONCE in refused.headers["access-control-expose-headers"]
    assert refused.headers["access-control-allow-origin"] == "https://app.example.test"


async def test_management_api_gets_the_nonce_to_send(token_service: TokenService, prover: Prover) -> None:
    """Users answers its caller, and has no key for nonces itself."""
    token = await bound_token(token_service, prover)

    async def ask(**claims: Any) -> None:
        proof = prover.proof(MANAGEMENT, token=token, **claims)
        message = AuthenticateBearer(token=token, audience=OWN_PROJECT, proofs=(proof,), method="POST", path=MANAGEMENT)
        assert (await token_service.bus.call(AUTHENTICATE_BEARER, message)).bearer

    with pytest.raises(ServiceError) as refused:
        await ask()
    await ask(nonce=refused.value.private["dpop_nonce"])

    assert (refused.value.id, refused.value.kind) == ("TOKEN-311", Kind.USE_DPOP_NONCE)
