"""Validation of users is equal at every entry point: one table of invalid values, sent to each that has the field."""

from __future__ import annotations

import base64
import json
from collections.abc import Awaitable, Callable
from copy import deepcopy
from typing import Any, NamedTuple

import pytest
from portico_contracts.users import IMPORT_USERS, ImportUsers
from portico_fakes.management_api import call_as
from portico_oauth.errors import ServiceError

pytestmark = pytest.mark.servers

V2, V1 = "portico.user.v2.UserService", "portico.management.v1.UserService"
GOOD = "nine small sparrows"

EVERY = "add rows apply apply-change v1-add v1-import update register"
NOT_REGISTERED = "add rows apply apply-change v1-add v1-import update"
NEW_API = "add rows apply apply-change update"
PASSWORDS = "add rows apply v1-add v1-import update register"


class Bad(NamedTuple):
    """An invalid value.

    Attributes:
        place: its path in the body of ``POST /v2/users/human``.
        doors: the entry points that have the field.
    """

    place: str
    value: Any
    id: str
    doors: str


BAD_HUMANS = [
    Bad("username", "zero\u200bwidth", "USER-003", NOT_REGISTERED),
    Bad("username", "blank ", "USER-003", NOT_REGISTERED),
    Bad("username", " blank", "USER-003", NOT_REGISTERED),
    Bad("username", "ta\tb", "USER-003", NOT_REGISTERED),
    Bad("username", "private\ue000use", "USER-003", NOT_REGISTERED),
    Bad("username", "line\u2028separator", "USER-003", NOT_REGISTERED),
    Bad("username", "eve@{other}", "USER-864", NOT_REGISTERED),
    Bad("username", "EVE@x@{other}", "USER-864", NOT_REGISTERED),
    Bad("username", "taken-{tag}", "USER-011", "add apply apply-change v1-add v1-import update"),
    Bad("profile.firstName", "Ada ", "USER-002", EVERY),
    Bad("profile.firstName", "A\u0007da", "USER-002", EVERY),
    Bad("profile.lastName", " Byron", "USER-002", EVERY),
    Bad("profile.lastName", "By\nron", "USER-002", EVERY),
    Bad("profile.displayName", "Ada Byron ", "USER-002", NOT_REGISTERED),
    Bad("profile.displayName", "Ada\rByron", "USER-002", NOT_REGISTERED),
    Bad("profile.nickName", " Countess", "USER-002", NOT_REGISTERED),
    Bad("profile.nickName", "Coun\u0001tess", "USER-002", NOT_REGISTERED),
    Bad("profile.preferredLanguage", "de ", "USER-002", NOT_REGISTERED),
    Bad("attributes.middleName", "Ki\nng", "USER-002", NEW_API),
    Bad("attributes.birthdate", " 1815", "USER-002", NEW_API),
    Bad("attributes.zoneinfo", "Europe/\tLondon", "USER-002", NEW_API),
    Bad("attributes.profileUrl", "javascript:alert(1)", "USER-008", NEW_API),
    Bad("attributes.website", "ftp://ada.example", "USER-008", NEW_API),
    Bad("attributes.picture", "data:image/png;base64,AA", "USER-008", NEW_API),
    Bad("email.email", "nobody", "USER-005", EVERY),
    Bad("email.email", "a@b@mail.example", "USER-005", EVERY),
    Bad("email.email", "a b@mail.example", "USER-005", EVERY),
    Bad("email.email", " a@mail.example", "USER-005", EVERY),
    Bad("email.email", "<a@mail.example>", "USER-005", EVERY),
    Bad("email.email", "a@mail.example\nBcc: b@mail.example", "USER-005", EVERY),
    Bad("email.email", '"a"@mail.example', "USER-005", EVERY),
    Bad("phone.phone", "0791234567", "USER-006", NOT_REGISTERED),
    Bad("phone.phone", "+4179ABCDEF", "USER-006", NOT_REGISTERED),
    Bad("phone.phone", "+123", "USER-006", NOT_REGISTERED),
    Bad("phone.phone", "+1234567890123456", "USER-006", NOT_REGISTERED),
    Bad("phone.phone", "+0123456789", "USER-006", NOT_REGISTERED),
    Bad("metadata", [{"key": "a\nb", "value": "Yg=="}], "USER-007", "add rows apply apply-change"),
    Bad("metadata", [{"key": "a ", "value": "Yg=="}], "USER-007", "add rows apply apply-change"),
    Bad("metadata", [{"key": "..", "value": "Yg=="}], "USER-007", "add rows apply apply-change"),
    Bad("password.password", "short", "USER-030", PASSWORDS),
    Bad("password.password", "password123", "USER-035", PASSWORDS),
    Bad("password.password", "it is ada-{tag} here", "USER-032", PASSWORDS),
    Bad("hashedPassword.hash", "$9$unknown", "USER-320", "add rows apply v1-import update"),
    Bad("hashedPassword.hash", "$2b$31$" + "a" * 53, "USER-321", "add rows apply v1-import update"),
    Bad("idpLinks", [("nowhere", "a", "b")], "USER-318", "add rows apply apply-change v1-import"),
    Bad("idpLinks", [("own-jwt-foreign-{tag}", "a", "b")], "USER-318", "add rows apply apply-change v1-import"),
    Bad("idpLinks", [("own-jwt-x-{tag}", "a", "b")] * 2, "USER-610", "add rows apply apply-change v1-import"),
    Bad("idpLinks", [("own-jwt-x-{tag}", "a\u0002", "b")], "USER-611", "add rows apply apply-change v1-import"),
    Bad("userId", ".", "USER-001", "add rows apply"),
    Bad("userId", "portico", "USER-001", "add rows apply"),
    Bad("userId", "i\nd", "USER-001", "add rows apply"),
    Bad("userId", "org-{tag}", "USER-010", "add rows apply"),
]


def body_of(managed: Any, bad: Bad) -> dict[str, Any]:
    body: dict[str, Any] = {
        "username": f"ada-{managed.tag}",
        "profile": {"firstName": "Ada", "lastName": "Byron"},
        "email": {"email": f"ada-{managed.tag}@mail.example", "isVerified": True},
    }
    value = deepcopy(bad.value)
    if isinstance(value, str):
        value = value.replace("{tag}", managed.tag).replace("{other}", managed.domain(managed.other_org_id))
    if bad.place == "idpLinks":
        value = [
            {"idpId": idp.replace("{tag}", managed.tag), "userId": user, "userName": name} for idp, user, name in value
        ]
    outer, _, inner = bad.place.partition(".")
    if not inner:
        return body | {outer: value}
    return body | {outer: body.get(outer, {}) | {inner: value}}


async def add(managed: Any, body: dict[str, Any]) -> str:
    return str((await managed.add(body)).error_code)


async def rows(managed: Any, body: dict[str, Any]) -> str:
    """A dry run finds the same errors as an import, except taken ids."""
    found = []
    for check in (True, False):
        message = ImportUsers(rows=(json.dumps(body),), org_id=managed.org_id, check=check)
        [outcome] = (await managed.users.call(IMPORT_USERS, message)).rows
        found.append(" ".join(sorted({problem.id for problem in outcome.problems})))
    assert found[0] == found[1] or body.get("userId") == managed.org_id
    return found[1]


async def apply(managed: Any, body: dict[str, Any]) -> str:
    names = {"userId": "id", "metadata": "binaryMetadata"}
    human = {names.get(name, name): value for name, value in body.items()}
    if "metadata" in body:
        human["binaryMetadata"] = {entry["key"]: entry["value"] for entry in body["metadata"]}
    if "idpLinks" in body:
        human["idpLinks"] = [
            {"idp": link["idpId"], "userId": link["userId"], "userName": link["userName"]} for link in body["idpLinks"]
        ]
    org = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    return await error_of(managed.users.apply(org | {"humans": [human]}))


async def apply_change(managed: Any, body: dict[str, Any]) -> str:
    return await apply(managed, body | {"userId": f"self-{managed.tag}"})


async def v1_add(managed: Any, body: dict[str, Any]) -> str:
    message = v1_body(body)
    if "password" in body:
        message["initialPassword"] = body["password"]["password"]
    response = await call_as(managed, f"{V1}.AddHumanUser", message)
    return str(response.error_code)


async def v1_import(managed: Any, body: dict[str, Any]) -> str:
    message = v1_body(body)
    if "password" in body:
        message["password"] = body["password"]["password"]
    if "hashedPassword" in body:
        message["hashedPassword"] = {"value": body["hashedPassword"]["hash"]}
    if "idpLinks" in body:
        message["idps"] = [
            {"configId": link["idpId"], "externalUserId": link["userId"], "displayName": link["userName"]}
            for link in body["idpLinks"]
        ]
    response = await call_as(managed, f"{V1}.ImportHumanUser", message)
    return str(response.error_code)


def v1_body(body: dict[str, Any]) -> dict[str, Any]:
    message = {
        "userName": body["username"],
        "profile": body["profile"],
        "email": {"email": body["email"]["email"], "isEmailVerified": True},
    }
    return message | ({"phone": body["phone"]} if "phone" in body else {})


async def update(managed: Any, body: dict[str, Any]) -> str:
    message = {name: value for name, value in body.items() if name not in ("password", "hashedPassword")}
    for name in ("password", "hashedPassword"):
        if name in body:
            message["password"] = {name: body[name]}
    path = f"/v2/users/human/self-{managed.tag}"
    response = await call_as(managed, f"{V2}.UpdateHumanUser", message, path=path)
    return str(response.error_code)


async def register(managed: Any, body: dict[str, Any]) -> str:
    return await error_of(
        managed.users.register(
            body["email"]["email"],
            first_name=body["profile"]["firstName"],
            last_name=body["profile"]["lastName"],
            password=body.get("password", {"password": GOOD})["password"],
        )
    )


async def error_of(call: Awaitable[Any]) -> str:
    try:
        await call
    except ServiceError as error:
        return str(error.id)
    return ""


Door = Callable[[Any, dict[str, Any]], Awaitable[str]]
DOORS: dict[str, Door] = {
    "add": add,
    "rows": rows,
    "apply": apply,
    "apply-change": apply_change,
    "v1-add": v1_add,
    "v1-import": v1_import,
    "update": update,
    "register": register,
}


@pytest.mark.parametrize("door", DOORS)
async def test_invalid_user_gets_equal_errors_everywhere(managed: Any, door: str) -> None:
    """Each invalid value is refused with its error id at every entry point, and no user is written."""
    await managed.furnish("x")
    await managed.furnish("foreign", org_id=managed.other_org_id)
    await managed.users.apply(
        {
            "id": managed.other_org_id,
            "name": managed.other_org_id,
            "primaryDomain": managed.domain(managed.other_org_id),
            "humans": [managed.users.human(id=f"taken-{managed.tag}", username=f"taken-{managed.tag}")],
        }
    )
    await managed.users.home()
    cases = [bad for bad in BAD_HUMANS if door in bad.doors.split()]
    found = {(bad.place, str(bad.value)): await DOORS[door](managed, body_of(managed, bad)) for bad in cases}

    assert found == {(bad.place, str(bad.value)): bad.id for bad in cases}
    assert len(cases) >= 14
    assert await managed.users.rows("users", userName=f"ada-{managed.tag}") == []


async def test_valid_user_is_accepted_everywhere(managed: Any) -> None:
    """The body with which invalid values are combined is itself valid at every entry point."""
    await managed.users.home()
    good = Bad("profile.nickName", "Countess", "", "")
    for number, (name, door) in enumerate(DOORS.items()):
        body = body_of(managed, good)
        body["username"], body["email"]["email"] = f"good{number}-{managed.tag}", managed.users.mail(f"good{number}")

        assert await door(managed, body) == "", name


async def test_default_display_name_is_cut_everywhere(managed: Any) -> None:
    """The default display name is cut to 200 characters, so that it can be sent back as read."""
    profile = {"firstName": "A" * 150, "lastName": "B" * 150}
    body = body_of(managed, Bad("profile", profile, "", ""))
    names = []
    for number, door in enumerate((add, rows, apply, v1_add)):
        body["username"] = f"long{number}-{managed.tag}"
        body["email"]["email"] = managed.users.mail(f"long{number}")
        assert await door(managed, deepcopy(body)) == ""
        [row] = await managed.users.rows("users", userName=body["username"])
        names.append(row["displayName"])

    assert names == ["A" * 150 + " " + "B" * 49] * 4


async def test_verified_address_may_become_the_user_name(managed: Any) -> None:
    """A registered user may have an address in another organization's domain as user name after entering the code."""
    await managed.users.home()
    mail = f"eve@{managed.domain(managed.other_org_id)}"
    sent = await managed.users.register(mail)
    user = await managed.users.verify(sent.challenge, await managed.users.newest_code(mail))

    assert user.user_name == mail
    body = body_of(managed, Bad("username", f"bob@{managed.domain(managed.other_org_id)}", "", ""))
    assert await apply(managed, body) == "USER-864"


async def test_document_may_move_a_domain_with_its_names(managed: Any) -> None:
    """User names are compared with the planned domains of organizations, not with the stored ones."""
    domain = f"new-{managed.tag}.example"
    own = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": domain}
    human = managed.users.human(username=f"eve@{domain}")
    foreign = {
        "id": managed.other_org_id,
        "name": managed.other_org_id,
        "primaryDomain": managed.domain(managed.other_org_id),
        "humans": [human],
    }

    assert await error_of(managed.users.apply(own, foreign)) == "USER-864"
    assert await error_of(managed.users.apply(own | {"humans": [human]})) == ""


async def test_import_accepts_every_base64_variant(managed: Any) -> None:
    """The import reads base64 and base64url, with or without padding, as the management API does."""
    value = base64.urlsafe_b64encode(b"\xfb\xff").decode().rstrip("=")
    body = body_of(managed, Bad("metadata", [{"key": "a", "value": value}], "", ""))

    assert await rows(managed, body) == ""
    [row] = await managed.users.rows("users", userName=body["username"])
    assert row["metadata"] == [{"key": "a", "value": value}]
