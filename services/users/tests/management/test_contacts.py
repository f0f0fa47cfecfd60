from __future__ import annotations

import re
from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, ManagementApi, call_as

pytestmark = pytest.mark.servers

USER = "portico.user.v2.UserService"
WRONG = "AAAAAA"


async def do(managed: Any, method: str, path: str, by: str = "owner", **members: Any) -> ApiResponse:
    address = f"/v2/users/self-{managed.tag}/{path}"
    return await call_as(managed, f"{USER}.{method}", members, by=by, path=address)


async def human(managed: Any) -> dict[str, Any]:
    found: dict[str, Any] = (await managed.get(f"self-{managed.tag}")).body["user"]["human"]
    return found


def text_of(message: Any) -> str:
    return str(message.get_body(("plain",)).get_content())


def code_in(message: Any) -> str:
    found = re.search(r"^ {4}([A-Z2-9]{6})$", text_of(message), re.MULTILINE)
    assert found is not None
    return found[1]


async def test_emailed_code_verifies_the_address(managed: Any) -> None:
    """By default a code is emailed, which verifies the address once (HH-08)."""
    mail = managed.users.mail("new")
    response = await do(managed, "SetEmail", "email", email=mail)
    [message] = await managed.users.mails_to(mail)
    code = code_in(message)
    before = await human(managed)
    verified = await do(managed, "VerifyEmail", "email/verify", verificationCode=code.lower())

    assert "verificationCode" not in response.body
    assert before["email"] == {"email": mail}
    assert verified.code == 0
    assert (await human(managed))["email"] == {"email": mail, "isVerified": True}
    assert (await do(managed, "VerifyEmail", "email/verify", verificationCode=code)).error_code == "USER-402"


async def test_returned_code_is_not_stored(managed: Any) -> None:
    """No email is sent, and the stored value does not help to guess the code."""
    mail = managed.users.mail("new")
    response = await do(managed, "SetEmail", "email", email=mail, returnCode={})
    code = response.body["verificationCode"]
    rows = await managed.users.rows("challenges", **{"purpose.userId": f"self-{managed.tag}"})

    assert await managed.users.mails_to(mail) == []
    assert code not in str(rows)
    assert (await do(managed, "VerifyEmail", "email/verify", verificationCode=code)).code == 0


async def test_address_set_as_verified_needs_no_code(managed: Any) -> None:
    """Setting an address as verified invalidates earlier codes."""
    code = (await do(managed, "SetEmail", "email", email="a@mail.example", returnCode={})).body["verificationCode"]
    await do(managed, "SetEmail", "email", email="b@mail.example", isVerified=True)

    assert (await human(managed))["email"] == {"email": "b@mail.example", "isVerified": True}
    assert (await do(managed, "VerifyEmail", "email/verify", verificationCode=code)).code == 3


async def test_code_becomes_invalid_when_the_address_changes(managed: Any) -> None:
    """A code stays invalid even if the address is set again (HH-08)."""
    code = (await do(managed, "SetEmail", "email", email="a@mail.example", returnCode={})).body["verificationCode"]
    for mail in ("b@mail.example", "a@mail.example"):
        await do(managed, "SetEmail", "email", email=mail)

    assert (await do(managed, "VerifyEmail", "email/verify", verificationCode=code)).error_code == "USER-402"


async def test_ten_guesses_per_code(managed: Any) -> None:
    """The right code does not work after ten wrong ones (LG-07)."""
    code = (await do(managed, "SetEmail", "email", email="a@mail.example", returnCode={})).body["verificationCode"]
    for _ in range(10):
        assert (await do(managed, "VerifyEmail", "email/verify", verificationCode=WRONG)).error_code == "USER-402"

    assert (await do(managed, "VerifyEmail", "email/verify", verificationCode=code)).code == 3


@pytest.mark.parametrize("seconds", [3_600, -11])
async def test_code_is_valid_for_one_hour(managed: Any, seconds: int) -> None:
    """A code expires after exactly one hour, and is invalid if the clock was set back before its issue (FD-14)."""
    code = (await do(managed, "SetEmail", "email", email="a@mail.example", returnCode={})).body["verificationCode"]
    managed.users.clock.tick(seconds)

    assert (await do(managed, "VerifyEmail", "email/verify", verificationCode=code)).code == 3


@pytest.mark.parametrize(
    "choice", [{"returnCode": {}}, {"isVerified": True}, {"sendCode": {"urlTemplate": "https://x.example/{{.Code}}"}}]
)
async def test_users_verify_their_own_address_only_by_email(managed: Any, choice: dict[str, Any]) -> None:
    """Users can neither have the code returned, nor assert their own address, nor choose the link (HH-06, HH-08)."""
    mail = managed.users.mail("own")
    refused = await do(managed, "SetEmail", "email", by="self", email=mail, **choice)

    assert (refused.code, refused.error_code) == (7, "USER-312")
    assert (await do(managed, "SetEmail", "email", by="self", email=mail, sendCode={})).code == 0
    code = code_in((await managed.users.mails_to(mail))[0])
    assert (await do(managed, "VerifyEmail", "email/verify", by="self", verificationCode=code)).code == 0


async def test_link_values_are_encoded(managed: Any) -> None:
    """Only placeholders are replaced, with encoded values; text and HTML contain the same link (HH-06)."""
    mail = managed.users.mail("link")
    template = "https://app.example/v?u={{.UserID}}&c={{.Code}}&o={{.OrgID}}&n={{.LoginName}}"
    await do(managed, "SetEmail", "email", email=mail, sendCode={"urlTemplate": template})
    [message] = await managed.users.mails_to(mail)
    id, domain = f"self-{managed.tag}", managed.domain(managed.org_id)
    link = f"https://app.example/v?u={id}&c={code_in(message)}&o={managed.org_id}&n={id}%40{domain}"

    assert link in text_of(message)
    assert f'href="{link.replace("&", "&amp;")}"' in message.get_body(("html",)).get_content()


async def test_email_is_in_the_language_of_the_recipient(managed: Any) -> None:
    """The language of the user's profile applies, whatever the caller's language."""
    mail = managed.users.mail("arabic")
    await managed.add(
        managed.new_human(
            profile={"firstName": "Ada", "lastName": "Byron", "preferredLanguage": "ar"}, email={"email": mail}
        )
    )

    assert [message["Content-Language"] for message in await managed.users.mails_to(mail)] == ["ar"]


async def test_new_code_replaces_the_pending_one(managed: Any) -> None:
    """`resend` requires a pending code, `send` does not; only the newest code is valid."""
    mail = managed.users.mail("new")
    path, by_path = "email/resend", "email/send"
    nothing = await do(managed, "ResendEmailCode", path)
    await do(managed, "SetEmail", "email", email=mail, isVerified=False)
    first = code_in((await managed.users.mails_to(mail))[-1])
    second = (await do(managed, "ResendEmailCode", path, returnCode={})).body["verificationCode"]
    await do(managed, "SendEmailCode", by_path)
    third = code_in((await managed.users.mails_to(mail))[-1])

    assert nothing.code == 9
    for code, result in ((first, 3), (second, 3), (third, 0)):
        assert (await do(managed, "VerifyEmail", "email/verify", verificationCode=code)).code == result
    assert (await do(managed, "SendEmailCode", by_path)).error_code == "USER-405"


async def test_sixth_email_to_an_address_is_delayed(managed: Any) -> None:
    """Emails to one address are limited whatever the caller's permissions."""
    mail = managed.users.mail("flood")
    codes = [(await do(managed, "SetEmail", "email", email=mail)).code for _ in range(6)]

    assert codes == [0, 0, 0, 0, 0, 8]


async def test_code_for_another_subject_is_refused(managed: Any) -> None:
    """A code for the phone number does not verify the address, and vice versa."""
    path = "email/verify"
    code = (await do(managed, "SetPhone", "phone", phone="+41791234567", returnCode={})).body["verificationCode"]
    await do(managed, "SetEmail", "email", email="a@mail.example", returnCode={})

    assert (await do(managed, "VerifyEmail", path, verificationCode=code)).code == 3
    assert (await do(managed, "VerifyPhone", "phone/verify", verificationCode=code)).code == 0
    assert (await human(managed))["phone"] == {"phone": "+41791234567", "isVerified": True}


async def test_text_messages_are_refused(managed: Any) -> None:
    """A request for a text message changes nothing; the caller can deliver a returned code."""
    number = "+41791234567"
    refused = await do(managed, "SetPhone", "phone", phone=number, sendCode={})
    await do(managed, "SetPhone", "phone", phone=number)
    silent = await do(managed, "ResendPhoneCode", "phone/resend", sendCode={})
    unasked = await do(managed, "ResendPhoneCode", "phone/resend")
    no_code = await do(managed, "ResendPhoneCode", "phone/resend", returnCode={})

    assert [response.error_code for response in (refused, silent, unasked)] == ["USER-404"] * 3
    assert refused.fields == ["sendCode"]
    assert no_code.error_code == "USER-406"
    assert (await human(managed))["phone"] == {"phone": number}


async def test_phone_number_can_be_removed(managed: Any) -> None:
    """Removing a phone number also removes its pending code."""
    code = (await do(managed, "SetPhone", "phone", phone="+41791234567", returnCode={})).body["verificationCode"]
    await do(managed, "RemovePhone", "phone")

    assert "phone" not in await human(managed)
    assert (await do(managed, "VerifyPhone", "phone/verify", verificationCode=code)).code == 3
    assert (await do(managed, "RemovePhone", "phone")).error_code == "USER-407"


@pytest.mark.parametrize(
    ("method", "path", "members", "field"),
    [
        ("SetEmail", "email", {"email": "nobody"}, "email"),
        ("SetEmail", "email", {"email": "a@b", "sendCode": {"urlTemplate": "ftp://x"}}, "sendCode.urlTemplate"),
        ("SetPhone", "phone", {"phone": "0791234567"}, "phone"),
    ],
)
async def test_invalid_contact_is_refused_with_its_field(
    managed: Any, method: str, path: str, members: dict[str, Any], field: str
) -> None:
    """An invalid address or phone number gives code 3 with the field."""
    refused = await do(managed, method, path, **members)

    assert (refused.code, refused.fields) == (3, [field])


async def test_service_users_have_no_address(managed: Any) -> None:
    """Operations on addresses and phone numbers refuse service users with code 9."""
    path = f"/v2/users/robot-{managed.tag}/email"
    body = {"email": "robot@mail.example"}
    refused = await call_as(managed, f"{USER}.SetEmail", body, path=path)

    assert refused.error_code == "USER-506"


async def test_link_hosts_of_the_organization_are_enforced(managed: Any) -> None:
    """If the organization lists hosts, managers of users can choose only among them (HH-06)."""
    org = {"id": managed.org_id, "name": managed.org_id, "mailLinkHosts": ["app.example"]}
    await managed.users.apply(org | {"primaryDomain": managed.domain(managed.org_id)})
    response = {
        host: await do(
            managed,
            "SetEmail",
            "email",
            email="a@mail.example",
            sendCode={"urlTemplate": f"https://{host}/{{{{.Code}}}}"},
        )
        for host in ("app.example", "evil.example")
    }

    assert response["app.example"].code == 0
    assert (response["evil.example"].error_code, response["evil.example"].fields) == (
        "USER-331",
        ["sendCode.urlTemplate"],
    )


async def test_address_can_be_set_without_a_mail_server(managed: Any, mute: ManagementApi) -> None:
    """Without a mail server only explicit requests for an email are refused; addresses stay unverified."""
    token, path = mute.token_of(f"owner-{managed.tag}"), f"/v2/users/self-{managed.tag}/email"
    asked: list[tuple[str, dict[str, Any], str]] = [
        ("SetEmail", {"email": "a@mail.example"}, ""),
        ("SetEmail", {"email": "a@mail.example", "sendCode": {}}, ""),
        ("SendEmailCode", {}, "/send"),
    ]
    facts = [
        (await mute.json(f"{USER}.{name}", body, token=token, path=path + more)).error_code
        for name, body, more in asked
    ]

    assert facts == ["", "USER-064", "USER-064"]
