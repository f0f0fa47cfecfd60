from __future__ import annotations

import re
from typing import Any

import pytest
from portico_contracts.token import REVOKE_USER
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers

USER = "portico.user.v2.UserService"
OLD, NEW = "correct horse battery", "nine small sparrows"


@pytest.fixture
async def world(managed: Any) -> Any:
    mail = managed.users.mail("pat")
    body = managed.new_human("pat", email={"email": mail}, password={"password": OLD}, username=f"pat-{managed.tag}")
    assert (await managed.add(body)).code == 0
    managed.tokens["pat"] = managed.api.token_of(f"pat-{managed.tag}")
    await managed.users.mails_to(mail)
    managed.users.kept.taken.clear()
    return managed


async def set_password(world: Any, by: str = "owner", password: str = NEW, **members: Any) -> ApiResponse:
    body = {"newPassword": {"password": password}, **members}
    path = f"/v2/users/pat-{world.tag}/password"
    return await call_as(world, f"{USER}.SetPassword", body, by=by, path=path)


async def reset(world: Any, by: str = "owner", **members: Any) -> ApiResponse:
    path = f"/v2/users/pat-{world.tag}/password_reset"
    return await call_as(world, f"{USER}.PasswordReset", members, by=by, path=path)


async def signs_in(world: Any, password: str) -> bool:
    return (await world.users.try_password(f"pat-{world.tag}", password)).user is not None


async def test_managers_of_users_need_no_evidence(world: Any) -> None:
    """All grants are revoked, and the next sign-in can be required to change the password (IR-14)."""
    body = {"newPassword": {"password": NEW, "changeRequired": True}}
    path = f"/v2/users/pat-{world.tag}/password"
    response = await call_as(world, f"{USER}.SetPassword", body, path=path)
    events = await world.users.rows("events", object=f"pat-{world.tag}")

    assert response.code == 0
    assert not await signs_in(world, OLD)
    assert await signs_in(world, NEW)
    assert (await world.get(f"pat-{world.tag}")).body["user"]["human"]["passwordChangeRequired"]
    assert world.api.ended == [("sessions", f"pat-{world.tag}"), ("grants", f"pat-{world.tag}")]
    assert world.api.enders == [f"owner-{world.tag}"]
    assert events[-1]["fields"] == ["passwordChangeRequired", "password"]
    assert NEW not in str(events)


@pytest.mark.parametrize(("members", "code"), [({}, 7), ({"currentPassword": NEW}, 3), ({"currentPassword": OLD}, 0)])
async def test_users_need_their_current_password(world: Any, members: dict[str, str], code: int) -> None:
    """Being signed in does not suffice to set one's own password."""
    assert (await set_password(world, by="pat", **members)).code == code
    assert await signs_in(world, NEW) is (code == 0)


async def test_own_change_ends_sessions_as_the_user(world: Any) -> None:
    """The audit has who ended a session: the user, not the system."""
    await set_password(world, by="pat", currentPassword=OLD)

    assert world.api.enders == [f"pat-{world.tag}"]


async def test_unchanged_password_is_refused(world: Any) -> None:
    """The current password is refused as the new one, so that a required change changes it."""
    refused = await set_password(world, by="pat", password=OLD, currentPassword=OLD)

    assert (refused.code, refused.error_code) == (9, "USER-036")


async def test_wrong_current_password_counts_as_an_attempt(world: Any) -> None:
    """A wrong current password counts like any other attempt (LG-05)."""
    codes = [(await set_password(world, by="pat", currentPassword="wrong")).code for _ in range(6)]

    assert codes == [3, 3, 3, 3, 3, 8]


async def test_wrong_current_passwords_lock_the_user(world: Any) -> None:
    """The organization's lockout policy applies wherever a password is entered (LG-05)."""
    of = "portico.management.v1.PolicyService.AddCustomLockoutPolicy"
    assert (await call_as(world, of, {"maxPasswordAttempts": 3})).code == 0
    for _ in range(2):
        await set_password(world, by="pat", currentPassword="wrong")
    before = (await world.get(f"pat-{world.tag}")).body["user"]["state"]
    await set_password(world, by="pat", currentPassword="wrong")
    after = (await world.get(f"pat-{world.tag}")).body["user"]["state"]

    assert (before, after) == ("USER_STATE_ACTIVE", "USER_STATE_LOCKED")


async def test_emailed_code_sets_a_password(world: Any) -> None:
    """The code works once and verifies the address; the email has the login name and the link."""
    template = "https://app.example/reset?c={{.Code}}"
    response = await reset(world, sendLink={"notificationType": "NOTIFICATION_TYPE_Email", "urlTemplate": template})
    [message] = await world.users.mails_to(world.users.mail("pat"))
    text = message.get_body(("plain",)).get_content()
    found = re.search(r"https://app\.example/reset\?c=([A-Z2-9]{6})\n", text)

    assert "verificationCode" not in response.body
    assert found
    assert f"pat-{world.tag}" in text
    assert (await set_password(world, by="pat", verificationCode=found[1])).code == 0
    assert (await world.get(f"pat-{world.tag}")).body["user"]["human"]["email"]["isVerified"]
    assert await signs_in(world, NEW)
    assert (await set_password(world, verificationCode=found[1])).error_code == "USER-402"


async def test_returned_code_does_not_verify_the_address(world: Any) -> None:
    """The caller needs no access to the mailbox; users cannot have codes returned for themselves (HH-08)."""
    refused = await reset(world, by="pat", returnCode={})
    code = (await reset(world, returnCode={})).body["verificationCode"]
    response = await set_password(world, by="pat", verificationCode=code)

    assert refused.code == 7
    assert response.code == 0
    assert "isVerified" not in (await world.get(f"pat-{world.tag}")).body["user"]["human"]["email"]


async def test_refused_password_does_not_use_up_the_code(world: Any) -> None:
    """The policy is checked first, and its error has the field."""
    code = (await reset(world, returnCode={})).body["verificationCode"]
    refused = await set_password(world, password="password1", verificationCode=code)

    assert (refused.code, refused.fields) == (3, ["newPassword.password"])
    assert (await set_password(world, verificationCode=code)).code == 0


async def test_code_ends_with_address_or_password(world: Any) -> None:
    """A code becomes invalid when the address or the password changes, because its recipient may not be the user."""
    for path, body in (
        ("email", {"email": "new@mail.example", "isVerified": True}),
        ("password", {"newPassword": {"password": NEW}}),
    ):
        code = (await reset(world, returnCode={})).body["verificationCode"]
        name = {"email": "SetEmail", "password": "SetPassword"}[path]
        address = f"/v2/users/pat-{world.tag}/{path}"
        changed = await call_as(world, f"{USER}.{name}", body, path=address)

        assert changed.code == 0
        assert (await set_password(world, verificationCode=code)).error_code == "USER-402"


async def test_text_messages_are_refused(world: Any) -> None:
    """A text message is refused with code 9 and the field that requests it."""
    refused = await reset(world, sendLink={"notificationType": "NOTIFICATION_TYPE_SMS"})

    assert (refused.error_code, refused.fields) == ("USER-175", ["sendLink.notificationType"])


@pytest.mark.parametrize("proof", ["current", "code", "none"])
async def test_repeated_call_succeeds_after_503(world: Any, proof: str) -> None:
    """The evidence is already used up; another password is not accepted as the same call."""
    members = {}
    if proof == "code":
        members = {"verificationCode": (await reset(world, returnCode={})).body["verificationCode"]}
    if proof == "current":
        members = {"currentPassword": OLD}
    world.users.bus.silent.add(REVOKE_USER.subject)
    first = await set_password(world, **members)
    world.users.bus.silent.clear()
    other = await set_password(world, password="ten small sparrows", **members) if members else first
    again = await set_password(world, **members)

    assert (first.code, again.code) == (14, 0)
    assert other.code == (3 if members else 14)
    assert ("grants", f"pat-{world.tag}") in world.api.ended
    assert await signs_in(world, NEW)
