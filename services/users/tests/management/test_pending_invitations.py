"""Invitations until they are accepted: how they are shown and listed, and how they end."""

from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import call_as
from portico_oauth.errors import ServiceError

from .test_invitations import DAY, USER, Invited, kim

pytestmark = pytest.mark.servers
__all__ = ["kim"]

V1 = "portico.management.v1.UserService"


async def shown(kim: Invited) -> dict[str, Any]:
    """The invitation as the user's page shows it; empty without one."""
    human = (await kim.managed.get(kim.id)).body["user"]["human"]
    found: dict[str, Any] = human.get("invitation", {})
    return found


async def are_invited(kim: Invited) -> bool:
    only = {"situationQuery": {"situation": "USER_SITUATION_INVITED"}}
    found = await call_as(kim.managed, f"{USER}.ListUsers", {"queries": [only]})
    return kim.id in {one["userId"] for one in found.body.get("result", [])}


async def test_invitation_is_shown_until_it_is_accepted(kim: Invited) -> None:
    """With its inviter and its end; a user who was not invited is not in the list."""
    before = await shown(kim), await are_invited(kim)
    await kim.invite()
    pending = await shown(kim), await are_invited(kim)
    kim.world.clock.tick(3 * DAY + 1)
    expired = await shown(kim), await are_invited(kim)
    await kim.resend()
    await kim.invite()
    again = await shown(kim)
    _, link = await kim.link()
    await kim.set(link["code"])
    accepted = await shown(kim), await are_invited(kim)

    assert before == accepted == ({}, False)
    assert (pending[0]["state"], pending[0]["inviterName"]) == ("INVITATION_STATE_INVITED", "owner Adams")
    assert pending[0]["inviterId"] == f"owner-{kim.managed.tag}"
    assert (expired[0]["state"], again["state"]) == ("INVITATION_STATE_EXPIRED", "INVITATION_STATE_INVITED")
    assert (pending[1], expired[1]) == (True, True)


async def test_revoked_invitation_cannot_be_accepted(kim: Invited) -> None:
    """The user stays, and can be invited again."""
    await kim.invite()
    _, link = await kim.link()
    revoked = await kim.call("RevokeInviteCode", {}, "/invite_code/revoke")
    again = await kim.call("RevokeInviteCode", {}, "/invite_code/revoke")
    with pytest.raises(ServiceError, match="USER-402"):
        await kim.set(link["code"])

    assert (revoked.code, again.error_code) == (0, "USER-177")
    assert (await shown(kim), await are_invited(kim)) == ({}, False)
    assert (await kim.invite()).code == 0


@pytest.mark.parametrize("end", ["deactivate", "email"])
async def test_invitation_that_cannot_be_accepted_is_not_pending(kim: Invited, end: str) -> None:
    """A deactivated user is not invited, and a new address makes the code void."""
    await kim.invite()
    if end == "deactivate":
        assert (await kim.call("DeactivateUser", {}, "/deactivate")).code == 0
    else:
        assert (await kim.call("SetEmail", {"email": f"new-{kim.mail}", "isVerified": True}, "/email")).code == 0

    assert not await are_invited(kim)
    assert (await shown(kim)).get("state", "") == ""


async def ways_in(kim: Invited) -> list[Any]:
    """The way to sign in on the page of the user and in both lists, and how many the filter finds."""
    by_id = (await kim.managed.get(kim.id)).body["user"]["human"]
    only = {"inUserIdsQuery": {"userIds": [kim.id]}}
    lists = [await call_as(kim.managed, f"{service}.ListUsers", {"queries": [only]}) for service in (USER, V1)]
    without = {"situationQuery": {"situation": "USER_SITUATION_WITHOUT_WAY_IN"}}
    found = await call_as(kim.managed, f"{USER}.ListUsers", {"queries": [only, without]})
    humans = [by_id, *(one.body["result"][0]["human"] for one in lists)]
    return [*(one.get("wayIn", "") for one in humans), len(found.body.get("result", []))]


async def test_user_who_cannot_sign_in_yet_is_found(kim: Invited) -> None:
    """A user without a credential and an invitation, such as an imported one; an inactive user is only inactive."""
    before = await ways_in(kim)
    await kim.invite()
    invited = await ways_in(kim)
    _, link = await kim.link()
    await kim.set(link["code"])
    accepted = await ways_in(kim)

    assert before == [*["WAY_IN_STATE_NONE"] * 3, 1]
    assert invited == accepted == ["", "", "", 0]


async def test_inactive_user_without_a_way_in_is_inactive(kim: Invited) -> None:
    await kim.call("DeactivateUser", {}, "/deactivate")

    assert (await ways_in(kim))[:3] == ["", "", ""]
