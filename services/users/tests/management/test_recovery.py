"""Account recovery: the link in a notice revokes all sessions, and a code to its recipient sets a new password
(LG-24).
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import pytest
from portico_contracts.authz import END_SESSIONS
from portico_contracts.users import RecoveryBegun
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import fingerprint
from portico_users.credentials.revocations import Revocations
from portico_users.groups.group import GROUPS, Group

from .account_owner import NEW, OLD
from .robbed import THIRD, Robbed

pytestmark = pytest.mark.servers

DAY: Final = 86_400
NOTHING: Final[list[tuple[str, str]]] = []


@pytest.fixture
async def lee(managed: Any) -> Robbed:
    robbed = Robbed(managed)
    await robbed.add()
    return robbed


async def test_notice_link_recovers_the_account(lee: Robbed) -> None:
    """The link revokes all sessions and grants, then the code sets a password; both work once."""
    await lee.change_password()
    [link] = await lee.codes()
    begun = await lee.begin(link)
    ended = list(lee.managed.api.ended)
    code = await lee.sent_code()
    with pytest.raises(ServiceError, match="USER-030"):
        await lee.enter(begun, code, "short")
    await lee.enter(begun, code.lower())

    assert ended == [("sessions", lee.id), ("grants", lee.id)]
    assert (await lee.opens(NEW), await lee.opens(THIRD)) == (False, True)
    for again in (lee.begin(link), lee.enter(begun, code, OLD)):
        with pytest.raises(ServiceError, match=r"USER-684|USER-402"):
            await again


async def test_code_is_sent_to_the_address_of_the_notice(lee: Robbed) -> None:
    """The code restores that address, even if the attacker has set and verified another one (decision 0020)."""
    await lee.take()
    [link] = await lee.codes()
    begun = await lee.begin(link)
    await lee.enter(begun, await lee.sent_code())

    assert await lee.address() == (lee.mail, True)
    assert await lee.opens(THIRD)
    assert await lee.codes(lee.new_mail) == []


async def test_recovery_invalidates_all_links(lee: Robbed) -> None:
    """Links in notices to the attacker's address become invalid as well."""
    await lee.take()
    await lee.call("AddOTPEmail", "/otp_email")
    [own], [thief] = await lee.codes(), await lee.codes(lee.new_mail)
    await lee.enter(await lee.begin(own), await lee.sent_code())
    lee.world.clock.tick(DAY)
    lee.managed.api.ended.clear()

    with pytest.raises(ServiceError, match="USER-684"):
        await lee.begin(thief)
    assert lee.managed.api.ended == NOTHING


async def test_recovery_removes_passkeys_and_links_of_the_attacker(lee: Robbed) -> None:
    """Passkeys, links and factors that were added by the reported change or later are removed, and older ones stay."""
    own = [await lee.register_key(passkey=True), await lee.register_key(passkey=False)]
    await lee.link_identity("own")
    await lee.change_password()
    [link] = await lee.codes(about="The password was changed.")
    await lee.register_key(passkey=False)
    await lee.register_key(passkey=True)
    await lee.link_identity("thief")

    await lee.enter(await lee.begin(link), await lee.sent_code())

    [user] = await lee.world.rows("users", _id=lee.id)
    assert {key["id"] for key in user["securityKeys"]} == set(own)
    assert [link["userName"] for link in user["idpLinks"]] == ["own"]
    assert {row["_id"] for row in await lee.world.rows("webauthnKeys", userId=lee.id)} == set(own)


async def test_recovery_ends_what_a_link_of_the_attacker_gave(lee: Robbed) -> None:
    """Groups and roles by the removed identity end with it; those of an older one stay."""
    await lee.link_identity("own")
    await lee.change_password()
    [code] = await lee.codes(about="The password was changed.")
    await lee.link_identity("thief")
    [user] = await lee.world.rows("users", _id=lee.id)
    grant = {"projectId": "p", "orgId": lee.managed.org_id, "roleKeys": ["own", "thief"]}
    links = [{**link, "granted": [["p", link["userName"]]]} for link in user["idpLinks"]]
    group = Group(id=f"group-{lee.id}", org_id=lee.managed.org_id, name=f"group {lee.id}", sequence=1)
    given = [{"id": group.id, "name": group.name, "links": [f"{links[1]['idpId']}\nthief"]}]
    database = lee.world.parts.mongo.database
    await database["groups"].insert_one(GROUPS.document(group))
    await database["users"].update_one(
        {"_id": lee.id}, {"$set": {"grants": [grant], "idpLinks": links, "groups": given}}
    )
    await lee.enter(await lee.begin(code), await lee.sent_code())

    [user] = await lee.world.rows("users", _id=lee.id)
    assert [link["userName"] for link in user["idpLinks"]] == ["own"]
    assert ([one["roleKeys"] for one in user["grants"]], user["groups"]) == ([["own"]], [])


async def test_recovery_after_an_added_passkey_removes_it(lee: Robbed) -> None:
    """The disputed notice is the one about the passkey itself."""
    await lee.register_key(passkey=True)
    [link] = await lee.codes()
    await lee.enter(await lee.begin(link), await lee.sent_code())

    [user] = await lee.world.rows("users", _id=lee.id)
    assert user["securityKeys"] == []


async def test_new_address_gets_no_recovery_code_for_a_day(lee: Robbed) -> None:
    """During the one-day wait (USER-900) the link revokes sessions, sends no code, and stays valid."""
    await lee.take()
    await lee.call("AddOTPEmail", "/otp_email")
    await lee.call("RemoveOTPEmail", "/otp_email")
    codes = await lee.codes(lee.new_mail)
    mails = len(await lee.world.mails_to(lee.new_mail))
    early = [await lee.begin(code) for code in codes]
    lee.world.clock.tick(DAY)
    late = await lee.begin(codes[0])

    assert [(one.challenge, one.waits) for one in early] == [("", True)] * 2
    assert lee.managed.api.ended[:2] == [("sessions", lee.id), ("grants", lee.id)]
    assert (bool(late.challenge), late.waits) == (True, False)
    assert len(await lee.world.mails_to(lee.new_mail)) == mails + 1


async def test_owner_is_not_delayed_by_the_attackers_address(lee: Robbed) -> None:
    """Notices go to the address verified before the change, and their links work at once."""
    await lee.set_mail()
    await lee.change_password()
    [password] = await lee.codes()
    await lee.take()
    [address] = set(await lee.codes()) - {password}

    assert (await lee.begin(password)).challenge
    assert (await lee.begin(address)).challenge


async def test_address_replaced_by_an_administrator_is_void(lee: Robbed) -> None:
    """Links sent before become invalid, and the notice about the replacement has no link."""
    await lee.change_password()
    [link] = await lee.codes()
    begun = await lee.begin(link)
    code = await lee.sent_code()
    await lee.call("AddOTPEmail", "/otp_email")
    other = (await lee.codes())[1]
    await lee.set_mail(by="owner", isVerified=True)

    assert len(await lee.notices()) == 3
    assert len(await lee.codes()) == 2
    with pytest.raises(ServiceError, match="USER-684"):
        await lee.begin(other)
    with pytest.raises(ServiceError, match="USER-402"):
        await lee.enter(begun, code)


async def test_links_expire_after_a_week(lee: Robbed) -> None:
    """Links expire after exactly a week; unknown codes get the same response."""
    await lee.change_password()
    await lee.call("AddOTPEmail", "/otp_email")
    first, second = await lee.codes()
    lee.world.clock.tick(7 * DAY - 1)
    assert (await lee.begin(first)).challenge
    lee.world.clock.tick(1)

    for code in (second, "", "x", "x" * 200, "Ω", second[:-1]):
        with pytest.raises(ServiceError, match="USER-684"):
            await lee.begin(code)


async def test_concurrent_uses_of_a_link_get_one_code(lee: Robbed) -> None:
    """Of concurrent requests with a link one gets the code."""
    await lee.change_password()
    [link] = await lee.codes()
    outcomes = await asyncio.gather(*(lee.begin(link) for _ in range(12)), return_exceptions=True)
    begun = [one for one in outcomes if isinstance(one, RecoveryBegun)]

    assert len(begun) == 1
    assert {one.id for one in outcomes if isinstance(one, ServiceError)} == {"USER-684"}
    assert len(await lee.world.mails_to(lee.mail)) == 2


async def test_link_code_is_stored_as_a_hash(lee: Robbed) -> None:
    """The hash is bound to the event of the notice, so that reading the database gives no access."""
    await lee.change_password()
    [link] = await lee.codes()
    [row] = await lee.world.rows("noticeLinks", userId=lee.id)
    events = await lee.world.rows("events", _id=row["eventId"])

    assert row["_id"] == fingerprint(link)
    assert link not in str(row)
    assert len(events) == 1


async def test_attacker_cannot_invalidate_the_code(lee: Robbed) -> None:
    """The code stays valid after further changes of password and address; ten guesses are allowed."""
    await lee.change_password()
    [link] = await lee.codes()
    begun = await lee.begin(link)
    code = await lee.sent_code()
    await lee.call("SetPassword", "/password", newPassword={"password": OLD}, currentPassword=NEW)
    await lee.take()
    for _ in range(9):
        with pytest.raises(ServiceError, match="USER-402"):
            await lee.enter(begun, "AAAAAA")
    await lee.enter(begun, code)

    assert await lee.opens(THIRD)
    assert await lee.address() == (lee.mail, True)


async def test_hidden_password_reset_only_ends_sessions(lee: Robbed) -> None:
    """If the organization hides the password reset (hidePasswordReset), no code is sent."""
    await lee.change_password()
    policy, token = "portico.management.v1.PolicyService.AddCustomLoginPolicy", lee.managed.tokens["owner"]
    response = await lee.managed.api.json(policy, {"hidePasswordReset": True}, token=token)
    assert response.code == 0, response.body
    [link] = await lee.codes()
    begun = await lee.begin(link)

    assert (begun.challenge, begun.waits) == ("", False)
    assert lee.managed.api.ended == [("sessions", lee.id), ("grants", lee.id)]
    assert len(await lee.world.mails_to(lee.mail)) == 1


@pytest.mark.parametrize("end", ["DeactivateUser", "DeleteUser"])
async def test_inactive_account_is_not_recovered(lee: Robbed, end: str) -> None:
    """The link reveals nothing about the account; links of deleted accounts are deleted."""
    await lee.change_password()
    [link] = await lee.codes()
    await lee.call(end, "" if end == "DeleteUser" else "/deactivate", by="owner")

    with pytest.raises(ServiceError, match="USER-684"):
        await lee.begin(link)
    assert len(await lee.world.rows("noticeLinks", userId=lee.id)) == (end == "DeactivateUser")


async def test_sessions_end_later_without_authz(lee: Robbed) -> None:
    """The request is stored with the use of the link, and a background task completes it."""
    await lee.change_password()
    [link] = await lee.codes()
    lee.world.bus.silent.add(END_SESSIONS.subject)
    begun = await lee.begin(link)
    before = list(lee.managed.api.ended)
    lee.world.bus.silent.clear()
    lee.world.clock.tick(10)
    await lee.world.service.find(Revocations).complete_due()

    assert begun.challenge
    assert before == NOTHING
    # Other tests may have left pending revocations.
    assert [one for one in lee.managed.api.ended if one[1] == lee.id] == [("sessions", lee.id), ("grants", lee.id)]
