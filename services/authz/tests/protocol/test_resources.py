"""The parameter resource at the authorization endpoint (RFC 8707 section 2.1, decisions 0092 and 0097)."""

from __future__ import annotations

import httpx
import pytest
from portico_contracts import http
from portico_contracts.authz import REDEEM_CODE, CodeGrant, RedeemCode
from portico_contracts.events import APP_CHANGED, Changed
from portico_contracts.users import Api, ApiScope, Consent
from portico_fakes.authz_service import (
    ADA,
    CALLBACK,
    AuthzService,
    FakeBrowser,
    Landing,
    authorize_parameters,
    request_in,
)
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

ORDERS = Api("orders", ("https://orders.example",), ("read", "orders.write"), ("read",))
INVOICES = Api("invoices", ("https://invoices.example/v1",), ("read", "invoices.pay"))


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    service = AuthzService(clock, bus)
    service.peers.apis["web"] = (ORDERS, INVOICES)
    service.peers.register(
        "plain", plain_oauth=True, response_types=("code", "id_token"), grant_types=("authorization_code", "implicit")
    )
    service.peers.apis["plain"] = (ORDERS,)
    return service


async def send(browser: FakeBrowser, *resources: str, **parameters: str | None) -> httpx.Response:
    sent = authorize_parameters(**parameters).items()
    return await browser.get(http.AUTHORIZE, [*sent, *(("resource", one) for one in resources)])


async def granted(
    authz: AuthzService, bus: MemoryBus, *resources: str, client_id: str = "web", scope: str | None
) -> CodeGrant:
    browser = authz.browser()
    done = await browser.log_in(request_in(await send(browser, *resources, client_id=client_id, scope=scope)))
    code = Landing(await browser.get(done.continue_to)).query["code"]
    redeemed = await bus.call(REDEEM_CODE, RedeemCode(code=code, client_id=client_id, redirect_uri=CALLBACK))
    assert redeemed.grant is not None
    return redeemed.grant


async def test_code_records_the_resources_and_their_scopes(authz: AuthzService, bus: MemoryBus) -> None:
    """The address of a client library names the registered resource; scopes of other APIs are dropped."""
    grant = await granted(authz, bus, "https://ORDERS.example/", scope="openid orders.write invoices.pay")
    both = await granted(authz, bus, "https://orders.example", *INVOICES.resources, scope="openid read invoices.pay")

    assert (grant.resources, grant.scope) == (("https://orders.example",), ("openid", "orders.write"))
    assert grant.dropped_scope == ("invoices.pay",)
    assert (both.resources, both.scope) == (
        (*ORDERS.resources, *INVOICES.resources),
        ("openid", "read", "invoices.pay"),
    )


async def test_default_scopes_where_none_of_an_api_is_requested(authz: AuthzService, bus: MemoryBus) -> None:
    assert (await granted(authz, bus, *ORDERS.resources, scope="openid")).scope == ("openid", "read")
    assert (await granted(authz, bus, *ORDERS.resources, scope="openid orders.write")).scope == (
        "openid",
        "orders.write",
    )


@pytest.mark.parametrize(
    "resource", ["https://other.example", "orders.example", "https://orders.example/#a", "https://orders.example/v1"]
)
async def test_other_resources_are_refused(authz: AuthzService, resource: str) -> None:
    """The error goes to the application; one of several is enough."""
    landing = Landing(await send(authz.browser(), *ORDERS.resources, resource))

    assert (landing.query["error"], landing.query["state"]) == ("invalid_target", "st-1")
    assert "code" not in landing.query


async def test_resource_removed_during_the_sign_in_is_refused(authz: AuthzService, bus: MemoryBus) -> None:
    browser = authz.browser()
    done = await browser.log_in(request_in(await send(browser, *ORDERS.resources)))
    authz.peers.apis["web"] = ()
    await bus.publish(
        APP_CHANGED,
        Changed(event_id="1", aggregate_id="app", org_id="org-1", sequence=2, at=1.0, actor="system"),
        event_id="1",
    )

    assert Landing(await browser.get(done.continue_to)).query["error"] == "invalid_target"


async def test_openid_may_lack_with_a_resource_where_the_application_allows_it(
    authz: AuthzService, bus: MemoryBus
) -> None:
    """Without any scope the API's default scopes are granted; openid stays required otherwise (AZ-03)."""
    grant = await granted(authz, bus, *ORDERS.resources, client_id="plain", scope=None)
    landings = [
        Landing(await send(authz.browser(), *resources, client_id=client_id, scope="read", **more))
        for client_id, resources, more in (
            ("plain", (), {}),
            ("web", ORDERS.resources, {}),
            ("plain", ORDERS.resources, {"response_type": "id_token", "nonce": "n"}),
        )
    ]

    assert (grant.scope, grant.resources) == (("read",), ORDERS.resources)
    assert [{**one.query, **one.fragment}["error"] for one in landings] == ["invalid_scope"] * 3


async def test_consent_is_for_the_resource(authz: AuthzService) -> None:
    """A scope of the same name at another API needs consent as well."""
    authz.peers.register("web", consent=Consent.ONCE)
    at_orders = [ApiScope("orders", word) for word in ("read", *ORDERS.resources)]
    authz.peers.consents[(ADA.user_id, "web")] = ("openid", *at_orders)
    browser = authz.browser()
    await browser.sign_in(client_id="other")
    allowed = Landing(await send(browser, *ORDERS.resources, scope="openid read"))
    step = await browser.ask(request_in(await send(browser, *INVOICES.resources, scope="openid read")))

    assert "code" in allowed.query
    assert [(one.scope, one.allowed) for one in step.scopes] == [
        ("openid", True),
        ("read", False),
        (INVOICES.resources[0], False),
    ]
