"""Tokens that are bound to the key of a DPoP proof: what is issued, and where it is accepted (RFC 9449)."""

from __future__ import annotations

from typing import Any

import httpx
import jwt
import pytest
from msgspec import json
from portico_contracts import http
from portico_contracts.token import AUTHENTICATE_BEARER, AuthenticateBearer, BearerFound
from portico_contracts.users import AccessTokenType, AuthMethod, Dpop
from portico_fakes.assertions import claims_of, registered, sign
from portico_fakes.dpop_proofs import Prover
from portico_fakes.service_user_jwt import ROBOT
from portico_fakes.token_service import CALLBACK, ISSUER, SECRET, TokenService, basic_header
from portico_oauth import pkce
from portico_oauth.errors import ServiceError
from portico_oauth.grant_types import DEVICE_CODE, JWT_BEARER, TOKEN_EXCHANGE
from portico_oauth.scopes import OWN_PROJECT
from portico_token.domain.grants import AccessToken

KINDS = pytest.mark.parametrize("kind", list(AccessTokenType))
GRANTS = ("authorization_code", "refresh_token", DEVICE_CODE, TOKEN_EXCHANGE)
OFFLINE = ("openid", "offline_access")
VERIFIER = "v" * 43
ALGS = 'DPoP algs="RS256 ES256 EdDSA"'


@pytest.fixture
def prover(token_service: TokenService) -> Prover:
    return Prover(ISSUER, token_service.clock.now())


def allow(service: TokenService, client_id: str = "web", dpop: Dpop = Dpop.ALLOWED, **fields: Any) -> None:
    service.register(client_id, dpop=dpop, grant_types=GRANTS, **fields)


async def redeem(
    service: TokenService, prover: Prover | None, client_id: str = "web", jkt: str = "", **code: Any
) -> httpx.Response:
    form = {"grant_type": "authorization_code", "redirect_uri": CALLBACK}
    if service.users.clients[client_id].auth_method is AuthMethod.NONE:
        form["code_verifier"] = VERIFIER
        code["challenge"] = pkce.challenge_of(VERIFIER)
    return await ask(service, prover, client_id, code=service.issue_code(client_id, jkt=jkt, **code), **form)


async def ask(service: TokenService, prover: Prover | None, client_id: str = "web", **form: str) -> httpx.Response:
    """Calls the token endpoint with the secret, or as a public client."""
    headers = prover.headers(http.TOKEN) if prover else {}
    known = service.users.clients.get(client_id)
    if known is not None and known.auth_method is AuthMethod.NONE:
        return await service.token({**form, "client_id": client_id}, headers=headers)
    return await service.token(form, basic=(client_id, SECRET), headers=headers)


async def userinfo(service: TokenService, **headers: str) -> httpx.Response:
    return await service.http.get(http.USERINFO, headers=headers)


@KINDS
async def test_token_is_bound_where_the_request_has_a_proof(
    token_service: TokenService, prover: Prover, kind: AccessTokenType
) -> None:
    """Response, JWT and introspection name the key; without a proof everything is as without DPoP."""
    allow(token_service, access_token_type=kind)
    bound, bearer = [(await redeem(token_service, one)).json() for one in (prover, None)]
    shown = [(await token_service.introspect(one["access_token"], "web")).json() for one in (bound, bearer)]

    assert (bound["token_type"], bearer["token_type"]) == ("DPoP", "Bearer")
    assert [(one["token_type"], one.get("cnf")) for one in shown] == [("DPoP", {"jkt": prover.jkt}), ("Bearer", None)]
    if kind is AccessTokenType.JWT:
        claims = [jwt.decode(one["access_token"], options={"verify_signature": False}) for one in (bound, bearer)]
        assert [one.get("cnf") for one in claims] == [{"jkt": prover.jkt}, None]


@KINDS
async def test_scheme_is_the_one_of_the_token(
    token_service: TokenService, prover: Prover, kind: AccessTokenType
) -> None:
    """A bound token is refused with Bearer, even with a proof, and in a form body; another one with DPoP."""
    allow(token_service, access_token_type=kind)
    bound, bearer = [(await redeem(token_service, one)).json()["access_token"] for one in (prover, None)]
    proof = prover.headers(http.USERINFO, method="GET", token=bound)
    wrong = [
        await userinfo(token_service, Authorization=f"Bearer {bound}"),
        await userinfo(token_service, Authorization=f"Bearer {bound}", DPoP=proof["DPoP"]),
        await token_service.http.post(http.USERINFO, data={"access_token": bound}),
        await userinfo(token_service, **prover.headers(http.USERINFO, method="GET", token=bearer)),
    ]
    right = [
        await userinfo(token_service, **prover.headers(http.USERINFO, method="GET", token=bound)),
        await userinfo(token_service, **{**proof, "Authorization": f"dpop {bound}"}),
        await userinfo(token_service, Authorization=f"Bearer {bearer}"),
    ]

    assert [(one.status_code, one.json()["error"]) for one in wrong] == [(401, "invalid_token")] * 4
    assert [ALGS in one.headers["www-authenticate"] for one in wrong] == [True] * 4
    assert [one.headers["www-authenticate"].split()[0] for one in wrong] == ["Bearer"] * 3 + ["DPoP"]
    assert wrong[3].headers["www-authenticate"].endswith(", Bearer")
    assert [one.status_code for one in right] == [200] * 3


async def test_unknown_token_has_the_challenge_of_its_scheme(token_service: TokenService, prover: Prover) -> None:
    answer = await userinfo(token_service, **prover.headers(http.USERINFO, method="GET", token="unknown"))

    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_token")
    assert answer.headers["www-authenticate"].startswith(f'{ALGS}, error="invalid_token"')


@pytest.mark.parametrize("dpop", list(Dpop))
async def test_setting_of_the_application(token_service: TokenService, prover: Prover, dpop: Dpop) -> None:
    """Off ignores even a malformed header; required names itself."""
    allow(token_service, dpop=dpop)
    bound, bearer = await redeem(token_service, prover), await redeem(token_service, None)
    form = {"grant_type": "authorization_code", "code": token_service.issue_code("web"), "redirect_uri": CALLBACK}
    malformed = await token_service.token(form, basic=("web", SECRET), headers={"DPoP": "malformed"})

    assert bound.json()["token_type"] == ("Bearer" if dpop is Dpop.OFF else "DPoP")
    assert bearer.status_code == (400 if dpop is Dpop.REQUIRED else 200)
    assert malformed.status_code == (200 if dpop is Dpop.OFF else 400)
    if dpop is Dpop.REQUIRED:
        assert bearer.json()["error"] == "invalid_request"
        assert "must send one" in bearer.json()["error_description"]


async def test_required_holds_for_every_grant(token_service: TokenService) -> None:
    """Before anything is consumed; the pushed request may still have none, as the code is not bound by it."""
    allow(token_service, dpop=Dpop.REQUIRED)
    robot = register_robot(token_service, dpop=Dpop.REQUIRED)
    answers = [await ask(token_service, None, grant_type=name) for name in GRANTS]
    answers.append(await ask(token_service, None, ROBOT, grant_type="client_credentials", scope="openid"))
    answers.append(await token_service.token({"grant_type": JWT_BEARER, "assertion": robot, "scope": "openid"}))
    headers = {"Authorization": basic_header("web", SECRET)}
    pushed = await token_service.http.post(http.PUSHED_REQUESTS, data={"scope": "openid"}, headers=headers)

    assert {one.json()["error_description"] for one in answers} == {
        "The request has no DPoP proof, and this application must send one."
    }
    assert pushed.status_code == 201


@KINDS
async def test_tokens_of_service_users_are_bound(
    token_service: TokenService, prover: Prover, kind: AccessTokenType
) -> None:
    """By secret and by assertion, with a stored grant and, for a JWT, without one."""
    assertion = register_robot(token_service, access_token_type=kind, dpop=Dpop.ALLOWED)
    scope = {"scope": f"openid urn:portico:project:id:{OWN_PROJECT}:aud"}
    by_secret = await ask(token_service, prover, ROBOT, grant_type="client_credentials", **scope)
    form = {"grant_type": JWT_BEARER, "assertion": assertion, **scope}
    by_assertion = await token_service.token(form, headers=prover.headers(http.TOKEN))

    for answer in (by_secret, by_assertion):
        token = answer.json()["access_token"]
        assert answer.json()["token_type"] == "DPoP"
        with pytest.raises(ServiceError, match="TOKEN-314"):
            await authenticate(token_service, token)
        found = await authenticate(token_service, token, prover.proof("/x?y", token=token))
        assert found.bearer is not None
        assert found.bearer.user_id == ROBOT


def register_robot(service: TokenService, **fields: Any) -> str:
    """Returns an assertion of the JWT profile grant."""
    key = service.keys.signing[1].key
    service.register_service_user(ROBOT, keys=(registered(key),), **fields)
    return sign(key, claims_of(ROBOT, ISSUER, service.clock.now()))


async def authenticate(service: TokenService, token: str, *proofs: str) -> BearerFound:
    ask = AuthenticateBearer(token=token, audience=OWN_PROJECT, proofs=proofs or None, method="POST", path="/x")
    return await service.bus.call(AUTHENTICATE_BEARER, ask)


async def test_management_api_needs_the_key_of_the_token(token_service: TokenService, prover: Prover) -> None:
    """A proof of another path, or of another key, is refused; a bearer token with the scheme DPoP, too."""
    allow(token_service, management_access=True)
    scope = ("openid", f"urn:portico:project:id:{OWN_PROJECT}:aud")
    bound, bearer = [(await redeem(token_service, one, scope=scope)).json()["access_token"] for one in (prover, None)]
    refused = [
        (bound, (), "TOKEN-314"),
        (bound, (prover.proof("/other", token=bound),), "TOKEN-307"),
        (bound, (Prover(ISSUER, prover.now).proof("/x", token=bound),), "TOKEN-313"),
        (bearer, (prover.proof("/x", token=bearer),), "TOKEN-315"),
    ]
    for token, proofs, error_id in refused:
        with pytest.raises(ServiceError, match=error_id):
            await authenticate(token_service, token, *proofs)

    assert (await authenticate(token_service, bound, prover.proof("/x", token=bound))).bearer is not None
    assert (await authenticate(token_service, bearer)).bearer is not None


async def test_refresh_token_of_a_public_client_is_bound(token_service: TokenService, prover: Prover) -> None:
    """Another key, and none, change nothing and do not count as reuse; turning DPoP off changes nothing either."""
    allow(token_service, method=AuthMethod.NONE)
    first = (await redeem(token_service, prover, scope=OFFLINE)).json()["refresh_token"]
    form = {"grant_type": "refresh_token", "refresh_token": first}
    wrong = [await ask(token_service, one, **form) for one in (None, Prover(ISSUER, prover.now))]
    second = (await ask(token_service, prover, **form)).json()
    allow(token_service, dpop=Dpop.OFF, method=AuthMethod.NONE)
    await token_service.publish_app_changed()
    form = {"grant_type": "refresh_token", "refresh_token": second["refresh_token"]}
    wrong.append(await ask(token_service, None, **form))
    third = (await ask(token_service, prover, **form)).json()

    assert [(one.status_code, one.json()["error"]) for one in wrong] == [(400, "invalid_grant")] * 3
    assert [one["token_type"] for one in (second, third)] == ["DPoP", "DPoP"]


async def test_first_refresh_with_a_proof_binds(token_service: TokenService, prover: Prover) -> None:
    """The refresh token that a public client gets for a proof is bound, whenever it begins (RFC 9449 section 5)."""
    allow(token_service, method=AuthMethod.NONE)
    tokens = (await redeem(token_service, None, scope=OFFLINE)).json()
    kinds = [tokens["token_type"]]
    for one in (None, prover, prover):
        form = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
        tokens = (await ask(token_service, one, **form)).json()
        kinds.append(tokens["token_type"])
    form = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    wrong = [await ask(token_service, one, **form) for one in (None, Prover(ISSUER, prover.now))]

    assert kinds == ["Bearer", "Bearer", "DPoP", "DPoP"]
    assert [(one.status_code, one.json()["error"]) for one in wrong] == [(400, "invalid_grant")] * 2


@pytest.mark.parametrize("is_valid", [True, False])
async def test_off_ignores_a_header_at_a_refresh_too(
    token_service: TokenService, prover: Prover, assertions: Any, is_valid: bool
) -> None:
    """Only a bound refresh token needs its proof; another one not even the store of used proofs."""
    allow(token_service, dpop=Dpop.OFF)
    first = (await redeem(token_service, None, scope=OFFLINE)).json()["refresh_token"]
    form = {"grant_type": "refresh_token", "refresh_token": first}
    headers = prover.headers(http.TOKEN) if is_valid else {"DPoP": "malformed"}
    assertions.down = True
    answer = await token_service.token(form, basic=("web", SECRET), headers=headers)

    assert (answer.status_code, answer.json()["token_type"]) == (200, "Bearer")


async def test_refresh_token_of_a_confidential_client_is_not_bound(token_service: TokenService, prover: Prover) -> None:
    """It is bound to the credentials of the client; each access token to the key of its request."""
    allow(token_service)
    tokens = (await redeem(token_service, prover, scope=OFFLINE)).json()
    kinds = []
    for one in (Prover(ISSUER, prover.now), None):
        tokens = (
            await ask(token_service, one, grant_type="refresh_token", refresh_token=tokens["refresh_token"])
        ).json()
        kinds.append(tokens["token_type"])

    assert kinds == ["DPoP", "Bearer"]


async def test_refused_proof_consumes_no_refresh_token(token_service: TokenService, prover: Prover) -> None:
    allow(token_service)
    first = (await redeem(token_service, prover, scope=OFFLINE)).json()["refresh_token"]
    form = {"grant_type": "refresh_token", "refresh_token": first}
    refused = await token_service.token(form, basic=("web", SECRET), headers={"DPoP": "malformed"})

    assert refused.json()["error"] == "invalid_dpop_proof"
    assert (await ask(token_service, prover, **form)).status_code == 200


async def test_device_and_exchange_are_bound(token_service: TokenService, prover: Prover) -> None:
    """The token of an exchange has the key of the API that exchanges; the subject token needs no proof."""
    allow(token_service)
    code = token_service.issue_code("web")
    token_service.authz.devices["device"] = token_service.authz.codes[code].grant
    device = await ask(token_service, prover, grant_type=DEVICE_CODE, device_code="device")
    subject = {
        "subject_token": device.json()["access_token"],
        "subject_token_type": "urn:ietf:params:oauth:token-type:access_token",
        "audience": "project-1",
    }
    other = Prover(ISSUER, prover.now)
    exchanged = [await ask(token_service, one, grant_type=TOKEN_EXCHANGE, **subject) for one in (other, None)]
    shown = [(await token_service.introspect(one.json()["access_token"], "web")).json() for one in (device, *exchanged)]

    assert [one.json()["token_type"] for one in (device, *exchanged)] == ["DPoP", "DPoP", "Bearer"]
    assert [one.get("cnf") for one in shown] == [{"jkt": prover.jkt}, {"jkt": other.jkt}, None]


async def test_key_of_the_code_reaches_authz(token_service: TokenService, prover: Prover) -> None:
    """Authz compares it with dpop_jkt in the script that claims the code."""
    allow(token_service)
    wrong = [
        await redeem(token_service, one, jkt=prover.jkt) for one in (None, Prover(ISSUER, token_service.clock.now()))
    ]

    assert [(one.status_code, one.json()["error"]) for one in wrong] == [(400, "invalid_grant")] * 2
    assert (await redeem(token_service, prover, jkt=prover.jkt)).status_code == 200


async def test_proof_of_a_pushed_request_is_its_dpop_jkt(token_service: TokenService, prover: Prover) -> None:
    """Another dpop_jkt is refused (RFC 9449 section 10.1); off passes the parameter on unread."""
    allow(token_service)
    authorization = {"Authorization": basic_header("web", SECRET)}

    async def push(**form: str) -> httpx.Response:
        headers = {**authorization, "DPoP": prover.proof(http.PUSHED_REQUESTS)}
        return await token_service.http.post(http.PUSHED_REQUESTS, data={"scope": "openid", **form}, headers=headers)

    answers = [await push(), await push(dpop_jkt=prover.jkt), await push(dpop_jkt="x" * 43)]
    allow(token_service, dpop=Dpop.OFF)
    await token_service.publish_app_changed()
    answers.append(await push())
    sent = [one.parameters.get("dpop_jkt") for one in token_service.authz.pushed]

    assert [one.status_code for one in answers] == [201, 201, 400, 201]
    assert answers[2].json()["error"] == "invalid_dpop_proof"
    assert sent == [prover.jkt, prover.jkt, None]


async def test_tokens_of_the_release_before_are_bearer_tokens(token_service: TokenService, prover: Prover) -> None:
    """A stored token without the last field means what it meant, and a release without it ignores the field."""
    before = json.decode(b'[1,2,["openid"],[],""]', type=AccessToken)

    assert before.jkt == ""
    assert json.encode(AccessToken(1, 2, ("openid",), (), "", prover.jkt)).endswith(f'"","{prover.jkt}"]'.encode())
