from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from portico_contracts.http import SET_PASSWORD_PAGE, VERIFY_EMAIL_PAGE
from portico_contracts.users import SET_PASSWORD_BY_LINK, SetPasswordByLink
from portico_fakes.management_api import ApiResponse, ManagementApi, call_as
from portico_oauth.errors import ServiceError

pytestmark = pytest.mark.servers

OF = "portico.management.v1.UserService"
NEW = "nine small sparrows"
TEMPLATE = "https://app.example/key?user={{.UserID}}&id={{.CodeID}}&code={{.Code}}"


async def do(
    managed: Any, method: str, tail: str, *, user: str = "self", by: str = "owner", **body: Any
) -> ApiResponse:
    path = f"/management/v1/users/{user}-{managed.tag}/{tail}"
    name = method if "." in method else f"{OF}.{method}"
    return await call_as(managed, name, body, by=by, path=path)


async def human(managed: Any) -> dict[str, Any]:
    found: dict[str, Any] = (await managed.get(f"self-{managed.tag}")).body["user"]["human"]
    return found


async def links(managed: Any, mail: str) -> list[tuple[str, dict[str, str]]]:
    found = []
    for message in await managed.users.mails_to(mail):
        text = message.get_body(("plain",)).get_content()
        parts = urlsplit(re.findall(r"http\S+code=\S+", text)[0])
        found.append((parts.path, {name: values[0] for name, values in parse_qs(parts.query).items()}))
    return found


async def test_update_replaces_the_profile(managed: Any) -> None:
    """Absent values are reset and the display name is derived; an update without a change gives code 9."""
    whole = {
        "firstName": "Ada",
        "lastName": "King",
        "nickName": "A",
        "displayName": "Countess",
        "gender": "GENDER_FEMALE",
    }
    first = await do(managed, "UpdateHumanProfile", "profile", **whole)
    stored = (await human(managed))["profile"]
    second = await do(managed, "UpdateHumanProfile", "profile", firstName="Ada", lastName="Byron")
    again = await do(managed, "UpdateHumanProfile", "profile", firstName="Ada", lastName="Byron")

    assert (first.code, second.code, again.error_code) == (0, 0, "USER-702")
    assert stored == whole
    assert (await human(managed))["profile"] == {"firstName": "Ada", "lastName": "Byron", "displayName": "Ada Byron"}
    assert second.body["details"]["sequence"] == "3"


async def test_invalid_profile_is_refused_with_its_field(managed: Any) -> None:
    """Errors have the path in the v1 message; service users have no profile."""
    blank = await do(managed, "UpdateHumanProfile", "profile", firstName="Ada", lastName=" ")
    robot = await do(managed, "UpdateHumanProfile", "profile", user="robot", firstName="Ada", lastName="King")

    assert (blank.error_code, blank.fields) == ("USER-002", ["lastName"])
    assert robot.error_code == "USER-506"


@pytest.mark.parametrize("vouched", [True, False])
async def test_email_is_set(managed: Any, vouched: bool) -> None:
    """The address is verified by an emailed code unless the caller asserts it (HH-08)."""
    mail = managed.users.mail("new")
    response = await do(managed, "UpdateHumanEmail", "email", email=mail, isEmailVerified=vouched)
    stored = (await human(managed))["email"]
    refused = await do(managed, "UpdateHumanEmail", "email", email="nobody")

    assert set(response.body) == {"details"}
    assert stored == ({"email": mail, "isVerified": True} if vouched else {"email": mail})
    assert [page for page, _ in await links(managed, mail)] == ([] if vouched else [VERIFY_EMAIL_PAGE])
    assert (refused.error_code, refused.fields) == ("USER-005", ["email"])


@pytest.mark.parametrize("vouched", [True, False])
async def test_phone_is_set(managed: Any, vouched: bool) -> None:
    """The phone number is unverified unless the caller asserts it."""
    phone = "+41791234567"
    response = await do(managed, "UpdateHumanPhone", "phone", phone=phone, isPhoneVerified=vouched)
    stored = (await human(managed))["phone"]
    refused = await do(managed, "UpdateHumanPhone", "phone", phone="1")

    assert set(response.body) == {"details"}
    assert stored == ({"phone": phone, "isVerified": True} if vouched else {"phone": phone})
    assert (refused.error_code, refused.fields) == ("USER-006", ["phone"])


async def test_text_messages_are_refused(managed: Any) -> None:
    """Requests that imply a text message are refused in both API versions, unless the caller delivers the code."""
    resend = "portico.user.v2.UserService.ResendPhoneCode"
    tail = "phone/_resend_verification"
    refused = await do(managed, resend, tail)
    early = await do(managed, resend, tail, returnCode={})
    body, path = {"phone": "+41791234567", "returnCode": {}}, f"/v2/users/self-{managed.tag}/phone"
    await call_as(managed, "portico.user.v2.UserService.SetPhone", body, path=path)
    again = await do(managed, resend, tail, returnCode={})

    assert (refused.error_code, early.error_code) == ("USER-404", "USER-406")
    assert len(again.body["verificationCode"]) == 6


async def test_link_for_the_first_password_is_resent(managed: Any) -> None:
    """Only the newest link is valid; users with a password get none."""
    mail, id = f"self-{managed.tag}@people.example", f"self-{managed.tag}"
    response = [await do(managed, "ResendHumanInitialization", "_resend_initialization")]
    [(_, old)] = await links(managed, mail)
    response.append(await do(managed, "ResendHumanInitialization", "_resend_initialization"))
    _, (page, link) = await links(managed, mail)
    with pytest.raises(ServiceError, match="USER-402"):
        await managed.users.call(
            SET_PASSWORD_BY_LINK, SetPasswordByLink(user_id=id, code=old["code"], new_password=NEW)
        )
    await managed.users.call(SET_PASSWORD_BY_LINK, SetPasswordByLink(user_id=id, code=link["code"], new_password=NEW))
    late = await do(managed, "ResendHumanInitialization", "_resend_initialization")

    assert [set(one.body) for one in response] == [{"details"}, {"details"}]
    assert page == SET_PASSWORD_PAGE
    assert link["invitation"] == "1"
    assert (late.code, late.error_code) == (9, "USER-890")
    assert len(await links(managed, mail)) == 2


async def test_user_with_a_passkey_is_not_invited_again(managed: Any) -> None:
    """The link for a first password has the words of a password link, and works."""
    id = f"self-{managed.tag}"
    keys = [{"id": "k", "name": "Key", "passkey": True}]
    users = managed.users.parts.mongo.database["users"]
    await users.update_one({"_id": id}, {"$set": {"securityKeys": keys}})
    await do(managed, "ResendHumanInitialization", "_resend_initialization")
    [(_, link)] = await links(managed, f"{id}@people.example")
    await managed.users.call(SET_PASSWORD_BY_LINK, SetPasswordByLink(user_id=id, code=link["code"], new_password=NEW))

    assert "invitation" not in link


async def test_link_can_be_sent_to_a_new_address(managed: Any) -> None:
    """The new address is unverified until the link is used; codes for the old one become invalid (HH-08)."""
    mail, id = managed.users.mail("right"), f"self-{managed.tag}"
    await do(managed, "ResendHumanInitialization", "_resend_initialization")
    [(_, old)] = await links(managed, f"{id}@people.example")
    response = await do(managed, "ResendHumanInitialization", "_resend_initialization", email=mail)
    changed = (await human(managed))["email"]
    [(_, link)] = await links(managed, mail)
    with pytest.raises(ServiceError, match="USER-402"):
        await managed.users.call(
            SET_PASSWORD_BY_LINK, SetPasswordByLink(user_id=id, code=old["code"], new_password=NEW)
        )
    await managed.users.call(SET_PASSWORD_BY_LINK, SetPasswordByLink(user_id=id, code=link["code"], new_password=NEW))

    assert response.code == 0, response.body
    assert changed == {"email": mail}
    assert (await human(managed))["email"] == {"email": mail, "isVerified": True}


async def test_invalid_address_is_refused_with_its_field(managed: Any) -> None:
    """An invalid address is refused with its field, and service users get no email."""
    refused = await do(managed, "ResendHumanInitialization", "_resend_initialization", email="nobody")
    robot = await do(managed, "ResendHumanInitialization", "_resend_initialization", user="robot")

    assert (refused.error_code, refused.fields) == ("USER-005", ["email"])
    assert robot.error_code == "USER-506"


async def test_passkey_link_is_returned(managed: Any) -> None:
    """The complete link is valid for an hour; no email is sent, and the user does not change."""
    response = await do(managed, "AddPasswordlessRegistration", "passwordless/_link", urlTemplate=TEMPLATE)
    link = parse_qs(urlsplit(response.body["link"]).query)
    body = {"code": {"id": link["id"][0], "code": link["code"][0]}}
    path = f"/v2/users/self-{managed.tag}/passkeys"
    begun = await call_as(managed, "portico.user.v2.UserService.RegisterPasskey", body, by="robot", path=path)

    assert response.body["expiration"] == "3600s"
    assert link["user"] == [f"self-{managed.tag}"]
    assert begun.code == 0, begun.body
    assert await managed.users.mails_to(f"self-{managed.tag}@people.example") == []
    assert response.body["details"]["sequence"] == "1"


async def test_passkey_link_is_emailed(managed: Any) -> None:
    """The link is sent by email, and the response does not contain it."""
    response = await do(managed, "SendPasswordlessRegistration", "passwordless/_send_link", urlTemplate=TEMPLATE)
    [(page, link)] = await links(managed, f"self-{managed.tag}@people.example")

    assert set(response.body) == {"details"}
    assert (page, link["user"]) == ("/key", f"self-{managed.tag}")


@pytest.mark.parametrize(
    ("method", "tail"), [("AddPasswordlessRegistration", "_link"), ("SendPasswordlessRegistration", "_send_link")]
)
async def test_link_host_is_checked(managed: Any, method: str, tail: str) -> None:
    """Links are allowed only to the hosts that the organization lists (HH-06)."""
    org = {"id": managed.org_id, "name": managed.org_id, "mailLinkHosts": ["app.example"]}
    await managed.users.apply(org | {"primaryDomain": managed.domain(managed.org_id)})
    nowhere = await do(managed, method, f"passwordless/{tail}", urlTemplate="https://app.example/key")
    elsewhere = TEMPLATE.replace("app.example", "evil.example")
    evil = await do(managed, method, f"passwordless/{tail}", urlTemplate=elsewhere)
    newer = await call_as(
        managed,
        "portico.user.v2.UserService.CreatePasskeyRegistrationLink",
        {"sendLink": {"urlTemplate": elsewhere}},
        path=f"/v2/users/self-{managed.tag}/passkeys/registration_link",
    )
    robot = await do(managed, method, f"passwordless/{tail}", user="robot", urlTemplate=TEMPLATE)

    assert (nowhere.error_code, nowhere.fields) == ("USER-542", ["urlTemplate"])
    assert (evil.error_code, evil.fields) == ("USER-331", ["urlTemplate"])
    assert (newer.error_code, newer.fields) == ("USER-331", ["sendLink.urlTemplate"])
    assert robot.error_code == "USER-506"
    assert await managed.users.rows("passkeyLinks", userId=f"self-{managed.tag}") == []


async def test_links_without_a_mail_server(managed: Any, mute: ManagementApi) -> None:
    """A passkey link can be returned but not emailed, and the password link is refused."""
    token, path = mute.token_of(f"owner-{managed.tag}"), f"/management/v1/users/self-{managed.tag}"
    body = {"urlTemplate": TEMPLATE}
    asked = [
        ("AddPasswordlessRegistration", "/passwordless/_link", body),
        ("SendPasswordlessRegistration", "/passwordless/_send_link", body),
        ("ResendHumanInitialization", "/_resend_initialization", {}),
    ]
    response = [await mute.json(f"{OF}.{name}", more, token=token, path=path + tail) for name, tail, more in asked]

    assert [one.error_code for one in response] == ["", "USER-543", "USER-064"]
