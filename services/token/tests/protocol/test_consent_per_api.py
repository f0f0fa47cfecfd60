"""Consent for a scope is for one API: another API may have a scope of the same name (decision 0110)."""

from __future__ import annotations

from typing import Final

import httpx
import pytest
from portico_contracts.authz import CodeGrant
from portico_contracts.users import Api, ApiScope, AuthMethod, Consent
from portico_fakes.token_service import SECRET, USER, TokenService
from portico_harness.rows import row
from portico_oauth.grant_types import AUTHORIZATION_CODE, DEVICE_CODE, REFRESH_TOKEN, TOKEN_EXCHANGE
from portico_oauth.opaque import bucket_of, new_opaque
from portico_oauth.token_types import ACCESS_TOKEN

ONE, TWO = "https://one.example", "https://two.example"
API_1, API_2 = Api("api-1", (ONE,), ("read",)), Api("api-2", (TWO,), ("read", "write"))
READ_1, READ_2 = ApiScope("api-1", "read"), ApiScope("api-2", "read")
AT_1 = ApiScope("api-1", ONE)
SCOPE: Final = ("openid", "offline_access", "read")
STANDARD: Final[tuple[str | ApiScope, ...]] = ("openid", "offline_access")
WITHDRAWN = (400, "invalid_grant")


@pytest.fixture(name="service")
def _service(token_service: TokenService) -> TokenService:
    token_service.register("app", grant_types=(AUTHORIZATION_CODE, REFRESH_TOKEN), consent=Consent.ONCE)
    token_service.register("api-1", grant_types=(TOKEN_EXCHANGE,), audience=("api-1", "api-2", "project-1"))
    token_service.register("api-2", audience=("api-1", "api-2", "project-1"))
    token_service.users.apis = {"app": (API_1, API_2), "api-1": (API_1, API_2)}
    return token_service


def outcome(answer: httpx.Response) -> str:
    if answer.status_code == 200:
        return "tokens"
    assert (answer.status_code, answer.json()["error"]) == WITHDRAWN
    return "refused"


ALLOWED: Final[tuple[tuple[tuple[str | ApiScope, ...], tuple[str, ...], str], ...]] = (
    ((READ_1, AT_1), (ONE,), "tokens"),
    ((READ_1, AT_1), (TWO,), "refused"),
    ((READ_1, AT_1), (), "refused"),
    ((READ_1, READ_2), (), "tokens"),
    ((READ_1,), (ONE,), "refused"),
    (("read", ONE), (ONE,), "refused"),
)


async def test_code_and_refresh_need_the_scope_at_each_api(service: TokenService) -> None:
    """The last row is the consent of an older release, which named no API."""
    for allowed, resources, expected in ALLOWED:
        with row(allowed, resources):
            service.users.consents[USER, "app"] = (*STANDARD, READ_1, READ_2, AT_1, ApiScope("api-2", TWO))
            tokens = await service.redeem(service.issue_code("app", scope=SCOPE, resources=resources), "app")
            code = service.issue_code("app", scope=SCOPE, resources=resources)
            service.users.consents[USER, "app"] = (*STANDARD, *allowed)

            assert outcome(await service.redeem(code, "app")) == expected
            assert outcome(await service.refresh(tokens.json()["refresh_token"], "app")) == expected


async def test_scope_that_another_api_registers_later_ends_the_refresh(service: TokenService) -> None:
    """The refreshed token would be for an API that the page did not show."""
    service.users.apis["app"] = (API_1,)
    service.users.consents[USER, "app"] = (*STANDARD, READ_1)
    tokens = await service.redeem(service.issue_code("app", scope=SCOPE), "app")
    service.users.apis["app"] = (API_1, API_2)
    await service.publish_app_changed()

    assert outcome(await service.refresh(tokens.json()["refresh_token"], "app")) == "refused"


async def test_approved_device_needs_the_scope_at_each_api(service: TokenService) -> None:
    service.register("tv", AuthMethod.NONE, grant_types=(DEVICE_CODE,), consent=Consent.ONCE)
    service.users.apis["tv"] = (API_1, API_2)
    for allowed, expected in (((READ_1, READ_2), "tokens"), ((READ_1,), "refused")):
        service.users.consents[USER, "tv"] = ("openid", *allowed)
        service.authz.devices["code"] = CodeGrant(
            grant_id=new_opaque(bucket_of(USER), service.random, 128),
            client_id="tv",
            user_id=USER,
            session_id="session-1",
            scope=("openid", "read"),
            auth_time=int(service.clock.now()),
            amr=("pwd",),
            acr="urn:portico:acr:pwd",
            auth_time_proven=True,
        )
        form = {"grant_type": DEVICE_CODE, "client_id": "tv", "device_code": "code"}

        assert outcome(await service.token(form)) == expected


async def test_exchange_gives_no_scope_that_the_user_has_not_allowed_there(service: TokenService) -> None:
    """An API of the token's audience that registers the scope later was not on the page."""
    service.register(
        "app",
        grant_types=(AUTHORIZATION_CODE, REFRESH_TOKEN),
        consent=Consent.ONCE,
        audience=("app", "api-1", "api-2", "project-1"),
    )
    service.users.apis["app"] = (API_1,)
    service.users.consents[USER, "app"] = (*STANDARD, READ_1)
    tokens = (await service.redeem(service.issue_code("app", scope=SCOPE), "app")).json()
    form = {"grant_type": TOKEN_EXCHANGE, "subject_token_type": ACCESS_TOKEN, "audience": "api-2"}
    form["subject_token"] = tokens["access_token"]
    before = (await service.token(form, basic=("api-1", SECRET))).json()
    refused = await service.token({**form, "scope": "read"}, basic=("api-1", SECRET))
    service.users.consents[USER, "app"] = (*STANDARD, READ_1, READ_2)
    await service.publish_user_changed()
    after = (await service.token(form, basic=("api-1", SECRET))).json()

    assert (before["scope"], refused.json()["error"], after["scope"]) == ("openid", "invalid_scope", "openid read")
