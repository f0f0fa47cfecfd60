from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import bcrypt
import pytest
from portico_contracts.http import SET_PASSWORD_PAGE, VERIFY_EMAIL_PAGE
from portico_contracts.users import SET_PASSWORD_BY_LINK, SetPasswordByLink
from portico_fakes.management_api import ApiResponse, ManagementApi, call_as

pytestmark = pytest.mark.servers

OF = "portico.management.v1.UserService"
NEW = "nine small sparrows"
TEMPLATE = "https://app.example/key?user={{.UserID}}&id={{.CodeID}}&code={{.Code}}"


def person(managed: Any, **members: Any) -> dict[str, Any]:
    email = {"email": managed.users.mail("kim"), "isEmailVerified": True}
    return {
        "userName": f"kim-{managed.tag}",
        "profile": {"firstName": "Kim", "lastName": "Possible"},
        "email": email,
        **members,
    }


async def add(managed: Any, how: str = "ImportHumanUser", **members: Any) -> ApiResponse:
    return await call_as(managed, f"{OF}.{how}", person(managed, **members))


async def user_of(managed: Any, response: ApiResponse) -> dict[str, Any]:
    assert response.code == 0, response.body
    user: dict[str, Any] = (await managed.get(response.body["userId"])).body["user"]
    return user


async def mails(managed: Any) -> list[tuple[str, dict[str, str]]]:
    found = []
    for message in await managed.users.mails_to(managed.users.mail("kim")):
        text = message.get_body(("plain",)).get_content()
        parts = urlsplit(re.findall(r"http\S+code=\S+", text)[0])
        found.append((parts.path, {name: values[0] for name, values in parse_qs(parts.query).items()}))
    return found


@pytest.mark.parametrize("how", ["AddHumanUser", "ImportHumanUser"])
async def test_values_are_stored(managed: Any, how: str) -> None:
    """Names, address and phone number are stored in the caller's organization, verified or not, with one event."""
    profile = {
        "firstName": "Kim",
        "lastName": "Possible",
        "nickName": "KP",
        "displayName": "Kim P.",
        "preferredLanguage": "de",
        "gender": "GENDER_FEMALE",
    }
    response = await add(managed, how, profile=profile, phone={"phone": "+41791234567", "isPhoneVerified": True})
    user = await user_of(managed, response)
    events = await managed.users.rows("events", object=response.body["userId"])

    assert user["username"] == f"kim-{managed.tag}"
    assert user["details"]["resourceOwner"] == managed.org_id
    assert user["human"].pop("invitation")["inviterId"] == f"owner-{managed.tag}"
    assert user["human"] == {
        "profile": profile,
        "email": {"email": managed.users.mail("kim"), "isVerified": True},
        "phone": {"phone": "+41791234567", "isVerified": True},
    }
    assert response.body["details"]["sequence"] == "1"
    assert [event["action"] for event in events] == ["created"]


@pytest.mark.parametrize("how", ["AddHumanUser", "ImportHumanUser"])
@pytest.mark.parametrize("verified", [True, False])
async def test_user_without_a_credential_is_invited(managed: Any, how: str, verified: bool) -> None:
    """One email has the invitation to set the first password, which also verifies the address (HH-08)."""
    email = {"email": managed.users.mail("kim"), "isEmailVerified": verified}
    user = await user_of(managed, await add(managed, how, email=email))
    [(page, link)] = await mails(managed)
    message = SetPasswordByLink(user_id=link["userID"], code=link["code"], new_password=NEW)
    await managed.users.call(SET_PASSWORD_BY_LINK, message)
    after = (await managed.get(user["userId"])).body["user"]

    assert page == SET_PASSWORD_PAGE
    assert link["invitation"] == "1"
    assert user["human"]["email"].get("isVerified", False) is verified
    assert after["human"]["email"]["isVerified"]
    assert (await managed.users.try_password(f"kim-{managed.tag}", NEW)).user is not None


async def test_first_password_must_be_changed(managed: Any) -> None:
    """With a password no link to choose one is sent; an unverified address gets its own email."""
    await user_of(managed, await add(managed, "AddHumanUser", initialPassword=NEW))
    none = await mails(managed)
    other = {"email": managed.users.mail("kim")}
    await user_of(managed, await add(managed, "AddHumanUser", userName="Kim 2", email=other, initialPassword=NEW))
    signed_in = (await managed.users.try_password(f"kim-{managed.tag}", NEW)).user

    assert signed_in is not None
    assert signed_in.password_change_required
    assert none == []
    assert [page for page, _ in await mails(managed)] == [VERIFY_EMAIL_PAGE]


@pytest.mark.parametrize("must_change", [True, False])
@pytest.mark.parametrize("form", ["password", "hash"])
async def test_import_with_password_or_hash(managed: Any, form: str, must_change: bool) -> None:
    """The password or hash works, and must be changed at the next sign-in if requested."""
    hash = bcrypt.hashpw(NEW.encode(), bcrypt.gensalt(4)).decode()
    forms: dict[str, dict[str, Any]] = {
        "password": {"password": NEW},
        "hash": {"hashedPassword": {"value": hash, "algorithm": "bcrypt"}},
    }
    await user_of(managed, await add(managed, passwordChangeRequired=must_change, **forms[form]))
    signed_in = (await managed.users.try_password(f"kim-{managed.tag}", NEW)).user

    assert signed_in is not None
    assert signed_in.password_change_required is must_change
    assert await mails(managed) == []


async def test_hash_algorithm_is_detected(managed: Any) -> None:
    """The algorithm may be omitted; another one, an unknown hash and two passwords are refused (MG-12)."""
    hash = bcrypt.hashpw(NEW.encode(), bcrypt.gensalt(4)).decode()
    other = await add(managed, hashedPassword={"value": hash, "algorithm": "argon2id"})
    unknown = await add(managed, hashedPassword={"value": "plain", "algorithm": "bcrypt"})
    both = await add(managed, password=NEW, hashedPassword={"value": hash})
    nobody = await managed.users.rows("users", userName=f"kim-{managed.tag}")
    alone = await add(managed, hashedPassword={"value": hash})

    assert (other.error_code, other.fields) == ("USER-891", ["hashedPassword.algorithm"])
    assert (unknown.error_code, unknown.fields) == ("USER-320", ["hashedPassword.value"])
    assert both.code == 3
    assert nobody == []
    assert alone.code == 0


async def test_import_with_idp_links(managed: Any) -> None:
    """Users with a link sign in with it and get no email; a provider of another organization is refused with its
    path (MG-16).
    """
    await managed.furnish("owner")
    idp = {"configId": f"own-jwt-owner-{managed.tag}", "externalUserId": "over-there", "displayName": "kim@there"}
    user = await user_of(managed, await add(managed, idps=[idp]))
    rows = await managed.users.rows("users", _id=user["userId"])
    unknown = await add(managed, userName="Kim 2", idps=[idp, idp | {"configId": "nobody"}])
    twice = await add(managed, userName="Kim 2", idps=[idp, idp])

    [link] = rows[0]["idpLinks"]
    assert (link["idpId"], link["userId"], link["userName"]) == tuple(idp.values())
    assert await mails(managed) == []
    assert (unknown.error_code, unknown.fields) == ("USER-318", ["idps[1].configId"])
    assert (twice.error_code, twice.fields) == ("USER-610", ["idps[1]"])


async def test_passkey_link_is_emailed_and_returned(managed: Any) -> None:
    """Email and response have the same link, valid for an hour; it registers a passkey, and no other email is sent."""
    response = await add(managed, requestPasswordlessRegistration=True, passwordlessUrlTemplate=TEMPLATE)
    registration = response.body["passwordlessRegistration"]
    [(_, mailed)] = await mails(managed)
    link = {name: values[0] for name, values in parse_qs(urlsplit(registration["link"]).query).items()}
    path = f"/v2/users/{response.body['userId']}/passkeys"
    body = {"code": {"id": link["id"], "code": link["code"]}}
    begun = await call_as(managed, "portico.user.v2.UserService.RegisterPasskey", body, by="robot", path=path)

    assert mailed == link
    assert link["user"] == response.body["userId"]
    assert registration["lifetime"] == registration["expiration"] == "3600s"
    assert begun.code == 0, begun.body


async def test_failed_import_creates_no_passkey_link(managed: Any) -> None:
    """If the user is not created, neither email nor link exists."""
    asked: dict[str, Any] = {"requestPasswordlessRegistration": True}
    kept = managed.users.parts.mongo.database["passkeyLinks"]
    before = await kept.count_documents({})
    nowhere = await add(managed, **asked, passwordlessUrlTemplate="https://app.example/key")
    bad = await add(managed, **asked, passwordlessUrlTemplate=TEMPLATE.replace("https", "http"))
    taken = await add(managed, **asked, passwordlessUrlTemplate=TEMPLATE, userName=f"self-{managed.tag}")

    assert (nowhere.error_code, nowhere.fields) == ("USER-542", ["passwordlessUrlTemplate"])
    assert (bad.error_code, bad.fields) == ("USER-331", ["passwordlessUrlTemplate"])
    assert taken.code == 6
    assert await mails(managed) == []
    assert await kept.count_documents({}) == before


@pytest.mark.parametrize(
    ("how", "members", "error_code", "place"),
    [
        ("AddHumanUser", {"userName": " "}, "USER-003", "userName"),
        ("AddHumanUser", {"initialPassword": "short"}, "USER-030", "initialPassword"),
        ("ImportHumanUser", {"password": "short"}, "USER-030", "password"),
        ("ImportHumanUser", {"email": {"email": "nobody"}}, "USER-005", "email.email"),
        ("ImportHumanUser", {"phone": {"phone": "1"}}, "USER-006", "phone.phone"),
        ("ImportHumanUser", {"profile": {"firstName": " ", "lastName": "x"}}, "USER-002", "profile.firstName"),
        ("ImportHumanUser", {"profile": {"firstName": "x", "lastName": "y" * 201}}, "USER-303", "profile.lastName"),
    ],
)
async def test_error_has_the_path_of_the_v1_message(
    managed: Any, how: str, members: dict[str, Any], error_code: str, place: str
) -> None:
    """Errors have paths of the v1 message, and nothing is stored."""
    refused = await add(managed, how, **members)

    assert (refused.error_code, refused.fields) == (error_code, [place])
    assert refused.body["message"].startswith(f"{place}: ") or error_code == "USER-303"
    assert await managed.users.rows("users", userName=f"kim-{managed.tag}") == []


async def test_name_of_another_user_is_refused(managed: Any) -> None:
    """A taken name gives code 6; one in another organization's domain is refused with its path."""
    taken = await add(managed, "AddHumanUser", userName=f"SELF-{managed.tag}")
    foreign = await add(managed, "AddHumanUser", userName=f"kim@{managed.domain(managed.other_org_id)}")

    assert taken.code == 6
    assert (foreign.error_code, foreign.fields) == ("USER-864", ["userName"])


async def test_creation_without_a_mail_server(managed: Any, mute: ManagementApi) -> None:
    """Users are created unless an email is explicitly requested, and can be given a password."""
    token, name = mute.token_of(f"owner-{managed.tag}"), f"{OF}.ImportHumanUser"
    asked = {"requestPasswordlessRegistration": True, "passwordlessUrlTemplate": TEMPLATE}
    refused = await mute.json(name, person(managed, **asked), token=token)
    created = await mute.json(name, person(managed), token=token)

    assert refused.error_code == "USER-543"
    assert created.code == 0, created.body
