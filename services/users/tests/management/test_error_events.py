"""Events about sign-ins that identity providers or their configuration refused."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.events import IDP_SIGN_IN_FAILED
from portico_fakes.management_api import ApiResponse, call_as

from .intent_pages import Pages

pytestmark = pytest.mark.servers

EVENTS = "portico.management.v1.EventService.ListEvents"


async def read(managed: Any, *, by: str = "owner") -> ApiResponse:
    asked = {"aggregateTypes": ["idpSignIns"], "query": {"limit": 1000, "asc": True}}
    return await call_as(managed, EVENTS, asked, by=by)


async def refuse(pages: Pages, times: int = 1, **changed: Any) -> None:
    for _ in range(times):
        await pages.portal.bring_back(await pages.address(), changed)


async def test_refused_sign_in_is_an_event(pages: Pages) -> None:
    """The event has provider, error id and text; it is readable only by the organization's administrators (MG-22)."""
    await refuse(pages, iss="https://evil.example")
    listed = await read(pages.managed)
    (event,) = listed.body["result"]
    foreign = await read(pages.managed, by="foreign")

    assert (event["aggregateType"], event["type"]) == ("idpSignIns", "signin_failed")
    assert event["resourceOwner"] == pages.managed.org_id
    assert event["payload"] == {
        "idpId": pages.idp_id,
        "requestOrgId": pages.managed.org_id,
        "errorId": "USER-966",
        "reason": "The JWT has another issuer.",
    }
    assert "result" not in foreign.body
    assert (await read(pages.managed, by="viewer")).code == 7


async def test_refused_sign_in_events_are_limited(pages: Pages) -> None:
    """At most ten events per minute and reason are logged; the next one has the number of suppressed events."""
    await refuse(pages, 13, iss="https://evil.example")
    await refuse(pages, 1, sub=None)
    first = [event["payload"]["errorId"] for event in (await read(pages.managed)).body["result"]]
    pages.world.clock.tick(60)
    await refuse(pages, 2, iss="https://evil.example")
    after = [event["payload"] for event in (await read(pages.managed)).body["result"]]
    published = await pages.world.rows("outbox", subject=IDP_SIGN_IN_FAILED.subject, object=pages.idp_id)

    assert (first.count("USER-966"), first.count("USER-968")) == (10, 1)
    assert len(after) == 13
    assert [one["leftOut"] for one in after if "leftOut" in one] == [3]
    assert len(published) == 13
