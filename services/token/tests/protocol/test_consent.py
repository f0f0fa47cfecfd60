"""Consent that the user withdrew after the sign-in (decision 0092)."""

from __future__ import annotations

from portico_contracts.authz import CodeGrant
from portico_contracts.users import AuthMethod, Consent
from portico_fakes.token_service import USER, TokenService
from portico_oauth.grant_types import AUTHORIZATION_CODE, DEVICE_CODE, REFRESH_TOKEN
from portico_oauth.opaque import bucket_of, new_opaque

OFFLINE = ("openid", "email", "offline_access")
WITHDRAWN = (400, "invalid_grant")


def register(service: TokenService, consent: Consent = Consent.ONCE) -> None:
    service.register("app", grant_types=(AUTHORIZATION_CODE, REFRESH_TOKEN), consent=consent)


async def test_code_is_refused_after_the_user_withdrew_consent(token_service: TokenService) -> None:
    """The withdrawal counts even where a part is still allowed; an application without consent is not asked."""
    register(token_service)
    for left in ((), ("openid", "email")):
        token_service.users.consents[USER, "app"] = left
        answer = await token_service.redeem(token_service.issue_code("app", scope=OFFLINE), "app")
        assert (answer.status_code, answer.json()["error"]) == WITHDRAWN, left

    token_service.users.consents[USER, "app"] = OFFLINE
    assert (await token_service.redeem(token_service.issue_code("app", scope=OFFLINE), "app")).status_code == 200

    token_service.register("free")
    assert (await token_service.redeem(token_service.issue_code("free"), "free")).status_code == 200


async def test_refresh_token_is_refused_until_consent_is_given_again(token_service: TokenService) -> None:
    register(token_service)
    token_service.users.consents[USER, "app"] = OFFLINE
    token = (await token_service.redeem(token_service.issue_code("app", scope=OFFLINE), "app")).json()["refresh_token"]

    token_service.users.consents.clear()
    answer = await token_service.refresh(token, "app")
    assert (answer.status_code, answer.json()["error"]) == WITHDRAWN

    token_service.users.consents[USER, "app"] = OFFLINE
    assert (await token_service.refresh(token, "app")).status_code == 200


async def test_single_claims_need_consent(token_service: TokenService) -> None:
    """The scopes that contain them must be allowed at the exchange and at a refresh; acr is in no scope."""
    register(token_service)
    claims = '{"userinfo":{"email":null},"id_token":{"phone_number":null,"acr":null}}'
    allowed = (*OFFLINE, "phone")
    for left in (("openid", "offline_access", "email"), ("openid", "offline_access", "phone")):
        token_service.users.consents[USER, "app"] = allowed
        scope = ("openid", "offline_access")
        tokens = await token_service.redeem(token_service.issue_code("app", scope=scope, claims=claims), "app")
        token_service.users.consents[USER, "app"] = left
        code = token_service.issue_code("app", scope=scope, claims=claims)
        for answer in (
            await token_service.redeem(code, "app"),
            await token_service.refresh(tokens.json()["refresh_token"], "app"),
        ):
            assert (answer.status_code, answer.json()["error"]) == WITHDRAWN, left


async def test_words_that_direct_the_sign_in_need_no_consent(token_service: TokenService) -> None:
    register(token_service, Consent.ALWAYS)
    token_service.users.consents[USER, "app"] = ("openid",)
    scope = ("openid", "urn:portico:org:id:org-1")

    assert (await token_service.redeem(token_service.issue_code("app", scope=scope), "app")).status_code == 200


async def test_approved_device_gets_no_tokens_after_consent_was_withdrawn(token_service: TokenService) -> None:
    token_service.register("tv", AuthMethod.NONE, grant_types=(DEVICE_CODE,), consent=Consent.ONCE)
    token_service.authz.devices["code"] = CodeGrant(
        grant_id=new_opaque(bucket_of(USER), token_service.random, 128),
        client_id="tv",
        user_id=USER,
        session_id="session-1",
        scope=("openid",),
        auth_time=int(token_service.clock.now()),
        amr=("pwd",),
        acr="urn:portico:acr:pwd",
        auth_time_proven=True,
    )
    form = {"grant_type": DEVICE_CODE, "client_id": "tv", "device_code": "code"}

    answer = await token_service.token(form)

    assert (answer.status_code, answer.json()["error"]) == WITHDRAWN
