"""What an administrator reads of sign-ins that identity providers or their records refused."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.events import IDP_SIGN_IN_FAILED
from portico_fakes.management_api import ApiResponse, call_as

from .intent_pages import Pages

pytestmark = pytest.mark.servers

EVENTS = "portico.management.v1.EventService.ListEvents"


async def read(managed: Any, *, by: str = "owner") -> ApiResponse:
    """The events of refused sign-ins."""
    asked = {"aggregateTypes": ["idpSignIns"], "query": {"limit": 1000, "asc": True}}
    return await call_as(managed, EVENTS, asked, by=by)


async def refuse(pages: Pages, times: int = 1, **changed: Any) -> None:
    """Brings JWTs that are refused."""
    for _ in range(times):
        await pages.portal.bring_back(await pages.address(), changed)


async def test_an_administrator_reads_why_a_sign_in_was_refused(pages: Pages) -> None:
    """Provider, id and sentence; others of the organization and of another one read nothing (MG-22)."""
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


async def test_the_log_is_not_filled_by_visitors(pages: Pages) -> None:
    """Ten of one reason in a minute; the next row counts what was left out, and another reason has rows of its own."""
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
