"""The device authorization endpoint and its grant (RFC 8628)."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from msgspec.structs import replace
from portico_contracts import http
from portico_contracts.authz import BeginDevice, CodeGrant
from portico_contracts.token import REVOKE_SESSION, RevokeSession
from portico_contracts.users import Api, AuthMethod
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.token_service import ISSUER, SECRET, USER, TokenService
from portico_harness.rows import row
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.grant_types import DEVICE_CODE
from portico_oauth.opaque import bucket_of, new_opaque


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    """With a public client, and a confidential one that may not use the grant."""
    token_service.register("tv", AuthMethod.NONE, grant_types=(DEVICE_CODE, "refresh_token"))
    token_service.register("web")
    return token_service


def approved(service: TokenService, *scope: str) -> CodeGrant:
    return CodeGrant(
        grant_id=new_opaque(bucket_of(USER), service.random, 128),
        client_id="tv",
        user_id=USER,
        session_id="session-1",
        scope=scope,
        auth_time=int(service.clock.now()),
        amr=("pwd",),
        acr="urn:portico:acr:pwd",
        auth_time_proven=True,
    )


async def poll(service: TokenService, **form: str) -> httpx.Response:
    return await service.token({"grant_type": DEVICE_CODE, "client_id": "tv", "device_code": "code", **form})


async def test_public_client_begins_with_its_id(service: TokenService) -> None:
    """Every member of RFC 8628 section 3.2, with no-store; the page without and with the code."""
    answer = await service.http.post(http.DEVICE_AUTHORIZATION, data={"client_id": "tv", "scope": "openid profile"})

    assert answer.json() == {
        "device_code": "device-code",
        "user_code": "BCDF-GHJK",
        "verification_uri": f"{ISSUER}{http.DEVICE_PAGE}",
        "verification_uri_complete": f"{ISSUER}{http.DEVICE_PAGE}?user_code=BCDF-GHJK",
        "expires_in": 600,
        "interval": 5,
    }
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert service.authz.begun == [BeginDevice("tv", "openid profile", "127.0.0.1")]


async def test_request_that_begins_nothing(service: TokenService) -> None:
    for form, status, error in (
        ({}, 401, "invalid_client"),
        ({"client_id": "nobody"}, 401, "invalid_client"),
        ({"client_id": "web"}, 401, "invalid_client"),
        ({"client_id": "web", "client_secret": SECRET}, 400, "unauthorized_client"),
    ):
        with row(form, status, error):
            answer = await service.http.post(http.DEVICE_AUTHORIZATION, data={"scope": "openid", **form})

            assert (answer.status_code, answer.json()["error"]) == (status, error)
            assert service.authz.begun == []


async def test_approved_device_gets_tokens(service: TokenService) -> None:
    """The device gets an id_token for openid and a refresh token for offline_access."""
    service.authz.devices["code"] = approved(service, "openid", "offline_access")
    tokens = (await poll(service)).json()

    assert set(tokens) == {"access_token", "token_type", "expires_in", "scope", "id_token", "refresh_token"}
    assert (await service.userinfo(tokens["access_token"])).json()["sub"] == USER


@pytest.mark.parametrize("lost", ["user", "session"])
async def test_user_and_session_are_checked_when_tokens_are_stored(service: TokenService, lost: str) -> None:
    """A session that ends between the answer of authz and the issue is noticed too (CVE-2026-88770)."""
    service.authz.devices["code"] = approved(service, "openid")
    if lost == "user":
        del service.users.people[USER]
    else:
        await service.bus.call(REVOKE_SESSION, RevokeSession(user_id=USER, session_id="session-1"))
    answer = await poll(service)

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")


@pytest.mark.parametrize(
    ("kind", "error", "recorded"),
    [
        (Kind.AUTHORIZATION_PENDING, "authorization_pending", 0),
        (Kind.POLLED_TOO_FAST, "slow_down", 0),
        (Kind.DEVICE_DENIED, "access_denied", 1),
        (Kind.EXPIRED_TOKEN, "expired_token", 1),
        (Kind.INVALID_GRANT, "invalid_grant", 1),
    ],
)
async def test_errors_of_polls(service: TokenService, bus: MemoryBus, kind: Kind, error: str, recorded: int) -> None:
    """All with status 400 (RFC 8628 section 3.5); a device that waits is not recorded for diagnostics."""
    service.authz.devices["code"] = ErrorCode(f"TEST-{700 + list(Kind).index(kind)}", kind, "Refused.")
    answer = await poll(service)
    for _ in range(50):
        await asyncio.sleep(0)

    assert (answer.status_code, answer.json()["error"]) == (400, error)
    assert len(bus.reported) == recorded


async def test_device_gets_a_token_for_its_resource(service: TokenService) -> None:
    """The parameters of the device reach authz, and its token is only for what the user approved (decision 0097)."""
    form = {"client_id": "tv", "scope": "openid", "resource": ["https://orders.example", "urn:b"]}
    await service.http.post(http.DEVICE_AUTHORIZATION, data=form)
    orders, invoices = Api("orders", ("https://orders.example",), ("read",)), Api("invoices", ("urn:b",), ("read",))
    service.users.apis["tv"] = (orders, invoices)
    service.register("orders", project_id="theirs", audience=("orders",))
    resources = (*orders.resources, *invoices.resources)
    service.authz.devices["code"] = replace(approved(service, "openid", "read"), resources=resources)
    tokens = (await poll(service, resource="https://orders.example")).json()
    about = (await service.introspect(tokens["access_token"], "orders")).json()

    assert service.authz.begun[-1].resource == "https://orders.example urn:b"
    assert (about["aud"], about["scope"]) == (["https://orders.example", "orders"], "read")


async def test_device_code_is_required(service: TokenService) -> None:
    answer = await service.token({"grant_type": DEVICE_CODE, "client_id": "tv"})

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")
