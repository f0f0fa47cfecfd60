"""Inviting a person: account, roles and email in one form."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import httpx
import pytest
from portico_fakes.console_service import ISSUER, ConsoleService, refusal

USER_API = "portico.user.v2.UserService"
M = "portico.management.v1"
PAGE = "/ui/console/orgs/o1/invite"
CREATE, INVITE = f"{USER_API}/AddHumanUser", f"{USER_API}/CreateInviteCode"
IMPORT = f"{M}.UserService/ImportHumanUsers"
MEMBER, GRANT = f"{M}.MemberService/AddOrgMember", f"{M}.UserGrantService/AddUserGrant"
INSTANCE_MEMBER = "portico.admin.v1.MemberService/AddIAMMember"
ADA = {"f.email.email": "ada.lovelace@home.example"}
PERMISSIONS = ("user.read", "user.write", "org.member.write", "iam.member.write", "user.grant.write", "project.read", "project.role.read", "project.app.read")  # fmt: skip


def answering(body: dict[str, Any]) -> Callable[[dict[str, Any], httpx.Request], httpx.Response]:
    return lambda _fields, _request: httpx.Response(200, json=body)


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    held = [{"permission": one, "roles": ["IAM_OWNER"], "everywhere": True} for one in PERMISSIONS]
    one = {"result": [{"id": "p1", "name": "Shop"}], "details": {"totalResult": "1"}}
    apps = {
        "result": [
            {"id": "a1", "name": "Shop", "state": "APP_STATE_ACTIVE", "oidcConfig": {"redirectUris": ["https://shop.example/cb"]}},
            {"id": "a2", "name": "Phone", "state": "APP_STATE_ACTIVE", "oidcConfig": {"redirectUris": ["com.example.app:/cb"]}},
            {"id": "a3", "name": "Old", "state": "APP_STATE_INACTIVE", "oidcConfig": {"redirectUris": ["https://old.example/cb"]}},
            {"id": "a4", "name": "Prices", "state": "APP_STATE_ACTIVE", "apiConfig": {}},
        ]
    }  # fmt: skip
    console.provider.answers |= {
        f"{M}.AppService/ListApps": answering(apps),
        f"{M}.CallerService/ListMyPermissions": answering({"org": {"id": "o1"}, "permissions": held}),
        f"{M}.ProjectService/ListProjects": answering(one),
        f"{M}.ProjectService/ListProjectRoles": answering({"result": [{"key": "dev", "displayName": "Developer"}]}),
        CREATE: answering({"userId": "u2"}),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


async def send(browser: httpx.AsyncClient, page: str, **fields: str) -> httpx.Response:
    csrf = (await browser.get(page)).text.split('name="csrf" value="')[1].split('"')[0]
    return await browser.post(page, data={"csrf": csrf, **ADA, **fields}, headers={"Origin": ISSUER})


def calls(console: ConsoleService, *methods: str) -> list[tuple[str, dict[str, Any]]]:
    return [one for one in console.provider.calls if one[0] in methods]


async def test_account_roles_and_invitation(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Names are guessed from the address, roles are given before the email is sent, and it is the only email."""
    sent = await send(signed_in, PAGE, **{"role": "ORG_USER_MANAGER", "grant.p1.dev": "on"})

    assert sent.headers["location"].startswith("/ui/console/orgs/o1/users/u2?")
    assert calls(console, CREATE, MEMBER, GRANT, INVITE) == [
        (
            CREATE,
            {
                "profile": {"firstName": "Ada", "lastName": "Lovelace"},
                "email": {"email": "ada.lovelace@home.example", "returnCode": {}},
                "organisation": {"orgId": "o1"},
            },
        ),
        (MEMBER, {"userId": "u2", "roles": ["ORG_USER_MANAGER"]}),
        (GRANT, {"userId": "u2", "projectId": "p1", "roleKeys": ["dev"]}),
        (INVITE, {"userId": "u2", "sendCode": {}}),
    ]


async def test_only_name_is_not_completed(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """A last name is guessed only with the first name (decision 0115)."""
    console.provider.answers[IMPORT] = answering({"result": [{"outcome": "IMPORT_OUTCOME_CREATED", "userId": "u2"}]})
    await send(signed_in, PAGE, **{"f.profile.firstName": "Ada"})
    [(_name, asked)] = calls(console, IMPORT)

    assert json.loads(asked["rows"][0])["profile"] == {"firstName": "Ada", "lastName": ""}
    assert calls(console, INVITE) == [(INVITE, {"userId": "u2", "sendCode": {}})]


async def test_application_to_open_is_chosen_by_name(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Only active applications with an https or loopback address are offered, and by default none is sent."""
    form = (await signed_in.get(PAGE)).text
    await send(signed_in, PAGE, **{"f.app": "a1"})
    await send(signed_in, PAGE, **{"f.app": ""})

    offered = form.partition('<select id="f-app"')[2].partition("</select>")[0]
    assert re.findall(r'value="(\w*)"', offered) == ["", "a1"]
    assert [fields["sendCode"] for _name, fields in calls(console, INVITE)] == [{"applicationId": "a1"}, {}]


@pytest.mark.parametrize(
    ("page", "role", "method"),
    [(f"{PAGE}?for=administrator", "ORG_OWNER", MEMBER), ("/ui/console/instance/invite", "IAM_OWNER", INSTANCE_MEMBER)],
)
async def test_administrator_role_is_preselected(
    console: ConsoleService, signed_in: httpx.AsyncClient, page: str, role: str, method: str
) -> None:
    form = (await signed_in.get(page)).text
    await send(signed_in, page.partition("?")[0], role=role)

    assert f'value="{role}" checked' in form
    assert calls(console, method) == [(method, {"userId": "u2", "roles": [role]})]


async def test_failed_part_is_named_and_repeated(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Only what failed is sent again; the account and the role are not."""
    console.provider.answers[INVITE] = refusal("unavailable", 503, "USER-543", "No mail server is configured.")
    page = (await send(signed_in, PAGE, role="ORG_OWNER")).text
    del console.provider.answers[INVITE]
    fields = {
        name: unescape(value)
        for name, value in re.findall(r'name="([\w-]+)" value="([^"]*)"', page.split('id="retry"')[1])
    }
    again = await signed_in.post(f"{PAGE}/retry", data=fields, headers={"Origin": ISSUER})

    assert "No mail server is configured." in page
    assert again.headers["location"].startswith("/ui/console/orgs/o1/users/u2?")
    assert [name for name, _fields in calls(console, CREATE, MEMBER, INVITE)] == [CREATE, MEMBER, INVITE, INVITE]


async def test_refused_form_keeps_its_input(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Nothing is assigned or sent without an account."""
    console.provider.answers[CREATE] = refusal("already_exists", 409, "USER-301", "This user exists already.")
    refused = await send(signed_in, PAGE, **{"role": "ORG_OWNER", "grant.p1.dev": "on"})

    assert refused.status_code == 409
    assert ">\nada.lovelace@home.example</textarea>" in refused.text
    assert 'value="ORG_OWNER" checked' in refused.text
    assert 'name="grant.p1.dev" checked' in refused.text
    assert calls(console, MEMBER, GRANT, INVITE) == []


SEVERAL = 'ada@home.example\n"Grace Hopper" <grace.h@home.example>; bob@home.example'


async def test_several_are_invited_with_the_same_roles(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Addresses in any usual form; a name is one that was written before the address, or is guessed from it."""
    console.provider.answers[IMPORT] = answering({"result": [{"outcome": "IMPORT_OUTCOME_CREATED", "userId": "u3"}]})
    sent = await send(signed_in, PAGE, **{"f.email.email": SEVERAL, "grant.p1.dev": "on"})
    made = {fields["email"]["email"]: fields["profile"] for _name, fields in calls(console, CREATE)}

    assert sent.headers["location"].startswith("/ui/console/orgs/o1/invitations?")
    assert made == {"grace.h@home.example": {"firstName": "Grace", "lastName": "Hopper"}}
    assert len(calls(console, IMPORT)) == 2  # of one name
    assert [name for name, _fields in calls(console, GRANT, INVITE)].count(INVITE) == 3


async def test_those_who_were_not_invited_are_named_and_tried_again(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """The others are not invited twice, and of an account that was created only the rest is done."""
    taken = {"grace.h@home.example": True}

    def create(fields: dict[str, Any], request: httpx.Request) -> httpx.Response:
        if taken.get(fields["email"]["email"]):
            return refusal("already_exists", 409, "USER-011", "This name is taken.")(fields, request)
        return httpx.Response(200, json={"userId": "u-" + fields["email"]["email"]})

    console.provider.answers[CREATE] = create
    console.provider.answers[INVITE] = refusal("unavailable", 503, "USER-543", "No mail server is configured.")
    people = "ada.l@home.example, grace.h@home.example"
    failed = await send(signed_in, PAGE, **{"f.email.email": people, "grant.p1.dev": "on"})
    form = failed.text.partition('id="retry"')[2].partition("</form>")[0]
    fields = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form))
    del console.provider.answers[INVITE]
    taken.clear()
    again = {name: unescape(value) for name, value in fields.items()}
    done = await signed_in.post(f"{PAGE}/several", data=again, headers={"Origin": ISSUER})

    assert "2 users were not invited." in failed.text
    assert "This name is taken." in failed.text
    assert "Invitation by email: No mail server is configured." in failed.text
    assert done.headers["location"].startswith("/ui/console/orgs/o1/invitations?")
    assert [one["userId"] for _name, one in calls(console, GRANT)] == ["u-ada.l@home.example", "u-grace.h@home.example"]


@pytest.mark.parametrize("typed", ["ada@home.example, not an address", "a@b.example, Ada <x>", "\n".join(f"a{one}@b.example" for one in range(101))])  # fmt: skip
async def test_wrong_addresses_are_not_invited(
    console: ConsoleService, signed_in: httpx.AsyncClient, typed: str
) -> None:
    """The field has the error, and keeps what was typed."""
    refused = await send(signed_in, PAGE, **{"f.email.email": typed})

    assert refused.status_code == 400
    assert 'id="f-email-email-problem"' in refused.text
    assert calls(console, CREATE, IMPORT, INVITE) == []


async def test_foreign_guest_is_refused(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """A retry does only what an invitation does."""
    csrf = (await signed_in.get(PAGE)).text.split('name="csrf" value="')[1].split('"')[0]
    guest = json.dumps([["a@b.example", "", ""], [["deleted", ["x"], ""]], "u1"])
    data = {"csrf": csrf, "guest-0": guest}
    answer = await signed_in.post(f"{PAGE}/several", data=data, headers={"Origin": ISSUER})

    assert answer.status_code == 400


@pytest.mark.parametrize(
    "part",
    ["5", "[[1],[2],3]", "[" * 2_000, '["deleted",["x"],""]', '["grant",[],"p1"]', '["grant",["\\ud800"],"p1"]', "é"],
)
async def test_foreign_part_is_refused(console: ConsoleService, signed_in: httpx.AsyncClient, part: str) -> None:
    """Whatever the field has, nothing is done, and it is no error of the server."""
    csrf = (await signed_in.get(PAGE)).text.split('name="csrf" value="')[1].split('"')[0]
    data = {"csrf": csrf, "user": "u1", "part-0": part}
    answer = await signed_in.post(f"{PAGE}/retry", data=data, headers={"Origin": ISSUER})

    assert answer.status_code == 400
    assert calls(console, MEMBER, GRANT, INVITE) == []
