"""Whose policy counts for a client by metadata document that several organizations accept (decision 0112)."""

from __future__ import annotations

import pytest
from portico_contracts.authz import REDEEM_CODE, CodeGrant, RedeemCode
from portico_contracts.events import APP_CHANGED, Changed
from portico_contracts.users import Api
from portico_fakes.authz_service import CALLBACK, AuthzService, FakeBrowser
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

URL = "https://agent.example/client.json"
OLDER, YOUNGER = "https://older.example/mcp", "https://younger.example/mcp"

CHANGED = Changed(event_id="e", aggregate_id="app", org_id="org-2", sequence=2, at=0, actor="u-owner")


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    service = AuthzService(clock, bus)
    clients = {name: service.peers.register(URL, org_id=name, plain_oauth=True) for name in ("org-1", "org-2")}
    service.peers.documents.clients[URL] = dict(clients)
    service.peers.documents.resource_owners = {OLDER: "org-1", YOUNGER: "org-2"}
    service.peers.apis[URL] = (Api("older", (OLDER,), ("read",)), Api("younger", (YOUNGER,), ("read",)))
    return service


async def grant_of(browser: FakeBrowser, bus: MemoryBus, **parameters: str) -> CodeGrant:
    landing = await browser.sign_in(client_id=URL, **parameters)
    redeemed = await bus.call(REDEEM_CODE, RedeemCode(code=landing.query["code"], client_id=URL, redirect_uri=CALLBACK))
    assert redeemed.grant
    return redeemed.grant


async def test_grant_has_the_organization_whose_policy_counts(authz: AuthzService, bus: MemoryBus) -> None:
    """The resource decides, or else the organization in the scope."""
    named = "openid urn:portico:org:id:org-1"
    grants = [
        await grant_of(authz.browser(), bus, resource=OLDER),
        await grant_of(authz.browser(), bus, resource=YOUNGER),
        await grant_of(authz.browser(), bus, resource=YOUNGER, scope=named),
        await grant_of(authz.browser(), bus, scope=named),
    ]

    assert [grant.client_org_id for grant in grants] == ["org-1", "org-2", "org-2", "org-1"]


async def test_request_that_names_none_is_refused_with_the_reason(authz: AuthzService) -> None:
    """On a page, and in the diagnostics of the instance, for no organization is concerned."""
    refused = await authz.browser().authorize(client_id=URL)
    await authz.assembly.traces.settle()
    [trace] = [trace for _, message in authz.bus.reported for trace in message.traces]

    assert refused.status_code == 400
    assert "location" not in refused.headers
    assert "Several organizations accept metadata documents of this host" in refused.text
    assert (trace.error_id, trace.org_id) == ("AUTHZ-070", "")
    assert (trace.checks[-1].name, trace.checks[-1].hint) == ("client", "missing")


async def test_policy_that_changed_meanwhile_is_followed(authz: AuthzService, bus: MemoryBus) -> None:
    """The checks after the sign-in find the organization by the same parameters, and refuse a client it turned off."""
    browser = authz.browser()
    done = await browser.log_in(await browser.begin(client_id=URL, resource=YOUNGER))
    authz.peers.documents.clients[URL]["org-2"] = None
    await bus.publish(APP_CHANGED, CHANGED, event_id="e")
    resumed = await browser.get(done.continue_to)

    assert resumed.status_code == 400
    assert "location" not in resumed.headers


async def test_document_is_fetched_for_the_address_of_the_browser(authz: AuthzService, bus: MemoryBus) -> None:
    """Addresses have a limit each, and afterwards requests of any address find it (decision 0112)."""
    authz.peers.documents.due.add(URL)
    await grant_of(authz.browser(), bus, resource=OLDER)
    await grant_of(authz.browser(), bus, resource=OLDER)
    [address] = authz.peers.documents.fetched_for

    assert address
    assert "testclient" not in address
    assert "127.0.0.1" not in address


async def test_repaired_document_counts_at_once(authz: AuthzService) -> None:
    """A document that was not found is not cached."""
    accepted = authz.peers.documents.clients.pop(URL)
    registered = authz.peers.clients.pop(URL)
    missing = await authz.browser().authorize(client_id=URL, resource=OLDER)
    authz.peers.documents.clients[URL] = accepted
    authz.peers.clients[URL] = registered

    assert missing.status_code == 400
    assert (await authz.browser().authorize(client_id=URL, resource=OLDER)).status_code == 303
