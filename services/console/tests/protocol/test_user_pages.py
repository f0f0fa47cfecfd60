"""The page of one user: its header, tabs and empty sections."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.console_service import ISSUER, ConsoleService, refusal, send

PERMISSIONS = "portico.management.v1.CallerService/ListMyPermissions"
USER_API = "portico.user.v2.UserService"
MANAGEMENT = "portico.management.v1"
ONE = "/ui/console/orgs/o1/users/u2"
ALL = (
    "user.read", "user.write", "user.delete", "user.credential.write", "user.passkey.write", "user.grant.read",
    "user.membership.read", "session.read", "session.delete", "events.read", "project.read", "project.role.read",
)  # fmt: skip
GRACE: dict[str, Any] = {
    "userId": "u2",
    "state": "USER_STATE_ACTIVE",
    "username": "grace@home.example",
    "loginNames": ["grace@home.example"],
    "human": {
        "profile": {
            "firstName": "Grace",
            "lastName": "Hopper",
            "displayName": "Grace Hopper",
            "preferredLanguage": "de",
        },
        "email": {"email": "grace@home.example", "isVerified": True},
    },
}


def answering(body: dict[str, Any]) -> Callable[[dict[str, Any], httpx.Request], httpx.Response]:
    return lambda _fields, _request: httpx.Response(200, json=body)


def holding(*permissions: str) -> Callable[[dict[str, Any], httpx.Request], httpx.Response]:
    held = [{"permission": one, "roles": ["SOME_ROLE"]} for one in permissions]
    return answering({"org": {"id": "o1", "name": "Home"}, "permissions": held})


def methods(*words: str) -> Callable[[dict[str, Any], httpx.Request], httpx.Response]:
    return answering({"authMethodTypes": [f"AUTHENTICATION_METHOD_TYPE_{word}" for word in words]})


def user(**values: Any) -> Callable[[dict[str, Any], httpx.Request], httpx.Response]:
    return answering({"user": {**GRACE, **values}})


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    console.provider.answers |= {
        PERMISSIONS: holding(*ALL),
        f"{USER_API}/GetUserByID": user(),
        f"{USER_API}/ListAuthenticationMethodTypes": methods("PASSWORD"),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


def primary(page: str) -> list[str]:
    head = page.split('id="person"')[1].split('id="more-actions"', maxsplit=1)[0]
    return re.findall(r'id="do-([a-z]+)"', head)


@pytest.mark.parametrize(
    ("state", "words", "first"),
    [
        ("USER_STATE_LOCKED", ("PASSWORD",), "unlock"),
        ("USER_STATE_INACTIVE", (), "reactivate"),
        ("USER_STATE_ACTIVE", ("RECOVERY_CODE",), "invite"),
        ("USER_STATE_ACTIVE", ("IDP",), "profile"),
    ],
)
async def test_first_action_depends_on_the_state(
    console: ConsoleService, signed_in: httpx.AsyncClient, state: str, words: tuple[str, ...], first: str
) -> None:
    """There is one primary action, beside it the end of the access, and the others are in the menu."""
    console.provider.answers |= {
        f"{USER_API}/GetUserByID": user(state=state),
        f"{USER_API}/ListAuthenticationMethodTypes": methods(*words),
    }
    page = (await signed_in.get(ONE)).text

    assert primary(page) == [first, *(["deactivate"] if state == "USER_STATE_ACTIVE" else [])]
    assert 'id="do-remove"' in page.split('id="more-actions"')[1]


async def test_actions_that_would_be_refused_are_not_offered(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """A user with a password cannot be invited, and one without cannot get a reset link."""
    with_password = (await signed_in.get(ONE)).text
    console.provider.answers[f"{USER_API}/ListAuthenticationMethodTypes"] = methods()
    without = (await signed_in.get(ONE)).text

    assert ("do-reset" in with_password, "do-invite" in with_password) == (True, False)
    assert ("do-reset" in without, "do-invite" in without) == (False, True)
    assert 'id="no-way-in"' in without


async def test_overview_has_names_instead_of_codes(signed_in: httpx.AsyncClient) -> None:
    """The language has its name, addresses have badges, and the id is shown once with a copy button."""
    page = (await signed_in.get(ONE)).text

    assert "<bdi>Deutsch</bdi>" in page
    assert re.search(r"<bdi>grace@home.example</bdi> <span class=\"state good\">verified", page)
    assert re.findall(r">u2<", page) == [">u2<"]
    assert 'data-copy="user-id"' in page


async def test_sign_in_tab_lists_each_way_with_its_actions(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """Ways that are there have a row, the others one line, and only existing ones are read."""
    key = {"u2f": {"id": "k/1", "name": "Blue key"}, "state": "AUTH_FACTOR_STATE_READY"}
    session = {"id": "s9", "device": "Firefox, Linux", "amr": ["pwd", "hwk", "user", "mfa"], "country": "NL"}
    console.provider.answers |= {
        f"{USER_API}/ListAuthenticationMethodTypes": methods("PASSWORD", "U2F", "TOTP"),
        f"{USER_API}/ListAuthenticationFactors": answering({"result": [key, {"otp": {}}]}),
        f"{MANAGEMENT}.SessionService/ListUserSessions": answering({"result": [session]}),
        f"{MANAGEMENT}.SessionService/ListUserTrustedDevices": answering({"result": [{"id": "d9", "country": "CH"}]}),
    }
    page = (await signed_in.get(f"{ONE}/sign-in")).text
    generated = (await signed_in.get(f"{ONE}/sessions/s9")).text
    called = {name for name, _fields in console.provider.calls}

    assert f'href="{ONE}/security-keys/k%252F1/do/rename"' in page
    assert f'href="{ONE}/security-keys/k%252F1/do/remove"' in page
    assert f'href="{ONE}/factors/do/no-totp"' in page
    assert f'href="{ONE}/sessions/s9/do/remove"' in page
    assert f'href="{ONE}/trusted-devices/d9/do/remove"' in page
    assert "Password, Security key" in page
    assert "<bdi>Firefox, Linux</bdi> · <bdi>Netherlands</bdi>" in page
    assert "Password, Security key" in generated
    assert re.search(r'id="not-set-up">Not set up: Passkey, Email code, Recovery codes, Linked identity<', page)
    assert f"{USER_API}/ListPasskeys" not in called


async def test_link_of_the_chosen_provider_is_removed(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Two identity providers know the user by the same id."""
    links = [{"idpId": one, "userId": "emp/7", "userName": f"grace@{one}"} for one in ("i1", "i2")]
    console.provider.answers |= {
        f"{USER_API}/ListAuthenticationMethodTypes": methods("IDP"),
        f"{USER_API}/ListIDPLinks": answering({"result": links}),
    }
    tab = (await signed_in.get(f"{ONE}/sign-in")).text
    path = f"{ONE}/links/i2%252Femp%252F7"
    confirmation = await signed_in.get(f"{path}/do/remove")
    await send(signed_in, f"{path}/do/remove", confirmed="1")

    assert f'href="{path}/do/remove"' in tab
    assert "grace@i2" in confirmation.text
    assert console.sent(f"{USER_API}/RemoveIDPLink") == [{"userId": "u2", "idpId": "i2", "linkedUserId": "emp/7"}]


async def test_access_tab_shows_names_of_projects_and_roles(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """A project that cannot be read keeps its id, and empty sections take one line."""
    grants = [
        {"id": "g1", "projectId": "p1", "roleKeys": ["dev", "ops"]},
        {"id": "g2", "projectId": "p2", "roleKeys": ["x"]},
    ]
    members = [{"roles": ["ORG_USER_MANAGER"], "orgId": "o1"}, {"roles": ["IAM_OWNER"], "iam": True}]

    def project(fields: dict[str, Any], request: httpx.Request) -> httpx.Response:
        if fields["projectId"] == "p2":
            return refusal("not_found", 404, "USER-501", "Project not found.")(fields, request)
        return httpx.Response(200, json={"project": {"id": "p1", "name": "Shop"}})

    console.provider.answers |= {
        f"{MANAGEMENT}.UserGrantService/ListUserGrants": answering({"result": grants}),
        f"{MANAGEMENT}.ProjectService/GetProjectByID": project,
        f"{MANAGEMENT}.ProjectService/ListProjectRoles": answering({"result": [{"key": "dev", "displayName": "Developer"}]}),
        f"{MANAGEMENT}.MemberService/ListUserMemberships": answering({"result": members}),
        f"{MANAGEMENT}.GroupService/ListUserGroups": answering(
            {"result": [{"groupId": "g/1", "name": "Staff", "membership": {"idpIds": ["i"]}}]}
        ),
    }  # fmt: skip
    page = (await signed_in.get(f"{ONE}/access")).text

    assert "<bdi>Shop</bdi>" in page
    assert "<bdi>Developer</bdi>, <bdi>ops</bdi>" in page
    assert "<bdi>p2</bdi>" in page
    assert "Organization <bdi>Home</bdi></th><td><bdi>User manager</bdi>" in page
    assert "<bdi>Instance owner</bdi>" in page
    assert 'groups/g%252F1"><bdi>Staff</bdi></a></th><td>by an identity provider<' in page
    assert 'id="no-apps"' in page


async def test_text_area_keeps_a_first_line_break(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Browsers drop a line break after the tag."""
    entry = {"metadata": {"key": "note", "value": "CmE="}}
    console.provider.answers[f"{MANAGEMENT}.UserMetadataService/GetMetadata"] = answering(entry)
    page = (await signed_in.get(f"{ONE}/metadata/note/do/change")).text

    assert ">\n\na</textarea>" in page


async def test_service_user_has_another_page(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    console.provider.answers |= {
        f"{USER_API}/GetUserByID": answering({"user": {"userId": "u2", "username": "robot", "machine": {"name": "R"}}}),
        f"{USER_API}/ListAuthenticationMethodTypes": refusal("failed_precondition", 400, "USER-402", "No human."),
    }
    page = await signed_in.get(ONE)

    assert (page.status_code, page.headers["location"]) == (303, "/ui/console/orgs/o1/machines/u2")


async def test_without_permissions_nothing_is_offered(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    console.provider.answers[PERMISSIONS] = holding("user.read")
    page = (await signed_in.get(f"{ONE}/sign-in")).text

    assert 'id="read-only"' in page
    assert 'id="do-' not in page
    assert "lost-device" not in page


async def test_language_is_chosen_by_its_name(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """A language that no page has stays selectable, so that saving the form does not remove it."""
    known = (await signed_in.get(f"{ONE}/do/profile")).text
    profile = {**GRACE["human"]["profile"], "preferredLanguage": "de-CH"}
    console.provider.answers[f"{USER_API}/GetUserByID"] = user(human={**GRACE["human"], "profile": profile})
    other = (await signed_in.get(f"{ONE}/do/profile")).text

    assert '<option value="de" selected>Deutsch</option>' in known
    assert '<option value="de-CH" selected>de-CH</option>' in other


async def test_header_has_the_last_sign_in(
    console: ConsoleService, signed_in: httpx.AsyncClient, clock: FrozenClock
) -> None:
    """Relative, and the time itself; a user without a recorded one has a sentence."""
    at = datetime.fromtimestamp(clock.now() - 3 * 86_400 - 60, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    without = (await signed_in.get(ONE)).text
    console.provider.answers[f"{USER_API}/GetUserByID"] = user(human={**GRACE["human"], "lastSignIn": at})
    page = (await signed_in.get(ONE)).text

    assert 'id="last-sign-in">No sign-in recorded<' in without
    assert f'Last sign-in: 3 days ago (<time datetime="{at}">' in page


async def test_login_name_is_the_address_alone(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """A user name without a domain is shown with and without it."""
    address, name = "grace@home.example", "grace"
    pages = []
    for one in (address, name):
        names = [one, f"{one}@home.localhost"]
        console.provider.answers[f"{USER_API}/GetUserByID"] = user(username=one, loginNames=names)
        pages.append((await signed_in.get(ONE)).text)

    assert "<dt>Signs in as</dt><dd><bdi>grace@home.example</bdi>" in pages[0]
    assert "<dt>Signs in as</dt><dd><bdi>grace, grace@home.localhost</bdi>" in pages[1]


async def test_history_has_what_is_about_the_user_page_by_page(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    event = {
        "id": "e1",
        "creationDate": "2026-11-24T08:40:00Z",
        "type": "updated",
        "activity": "users.locked",
        "aggregateId": "u2",
        "editorUserId": "u1",
        "editor": {"id": "u1", "name": "Ada"},
        "object": {"id": "u2", "name": "Grace Hopper"},
    }
    console.provider.answers[f"{MANAGEMENT}.EventService/ListEvents"] = answering(
        {"result": [event], "nextPageToken": "t 2"}
    )
    page = (await signed_in.get(f"{ONE}/history?after=t1")).text
    [asked] = [fields for name, fields in console.provider.calls if name.endswith("ListEvents")]

    assert "<bdi>Ada</bdi> locked <bdi>Grace Hopper</bdi>" in page
    assert f'href="{ONE}/history?after=t+2"' in page
    assert asked == {"userId": "u2", "query": {"limit": 50}, "pageToken": "t1"}


async def test_locking_can_be_undone_from_its_notice(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The notice has a button that sends the reverse action; other notices have none."""
    form = await signed_in.get(f"{ONE}/do/lock")
    csrf = form.text.split('name="csrf" value="')[1].split('"')[0]
    sent = {"csrf": csrf, "confirmed": "1"}
    done = await signed_in.post(f"{ONE}/do/lock", data=sent, headers={"Origin": ISSUER})
    page = (await signed_in.get(done.headers["location"])).text
    target = re.findall(r'id="undo" action="([^"]+)"', page)
    undone = await signed_in.post(target[0], data={"csrf": csrf}, headers={"Origin": ISSUER})
    after = (await signed_in.get(undone.headers["location"])).text

    assert target == [f"{ONE}/do/unlock"]
    assert "Grace Hopper was unlocked." in after
    assert 'id="undo"' not in after
    assert [name for name, _fields in console.provider.calls if name.endswith(("/LockUser", "/UnlockUser"))] == [
        f"{USER_API}/LockUser",
        f"{USER_API}/UnlockUser",
    ]


async def test_bulk_action_can_be_undone_for_the_rows_it_changed(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    def lock(fields: dict[str, Any], request: httpx.Request) -> httpx.Response:
        if fields["userId"] == "u3":
            return refusal("failed_precondition", 400, "USER-402", "Not active.")(fields, request)
        return httpx.Response(200, json={})

    console.provider.answers[f"{USER_API}/LockUser"] = lock
    listed = {"result": [{"id": id, "userName": id} for id in ("u2", "u3")], "details": {"totalResult": "2"}}
    console.provider.answers[f"{MANAGEMENT}.UserService/ListUsers"] = answering(listed)
    users = ONE.removesuffix("/u2")
    csrf = (await signed_in.get(users)).text.split('name="csrf" value="')[1].split('"')[0]
    sent = {"csrf": csrf, "confirmed": "1", "row-0": "u2", "row-1": "u3"}
    results = await signed_in.post(f"{users}/do/lock", data=sent, headers={"Origin": ISSUER})
    undo = results.text.split('id="undo"')[1].split("</form>")[0]
    fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', undo))
    await signed_in.post(f"{users}/do/unlock", data=fields, headers={"Origin": ISSUER})
    unlocked = [fields for name, fields in console.provider.calls if name == f"{USER_API}/UnlockUser"]

    assert f'action="{users}/do/unlock"' in undo
    assert unlocked == [{"userId": "u2"}]


async def test_list_has_the_address_below_the_name(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    human = {"profile": {"displayName": "Grace Hopper"}, "email": {"email": "grace@home.example"}}
    people = [{"id": "u2", "userName": "g", "human": {**human, "lastSignIn": "2026-11-24T08:40:00Z"}}]
    console.provider.answers[f"{MANAGEMENT}.UserService/ListUsers"] = answering({"result": people})
    page = (await signed_in.get(ONE.removesuffix("/u2"))).text

    assert re.search(r'Grace Hopper</bdi>\s*</a><span class="below"><bdi>grace@home.example</bdi>', page)
    assert '<time datetime="2026-11-24T08:40:00Z">' in page


async def test_page_has_why_emails_fail(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    email = {"email": "grace@home.example", "deliveryFailure": "no <UTF8>"}
    human = {**GRACE["human"], "email": email}
    console.provider.answers[f"{USER_API}/GetUserByID"] = user(human=human)

    assert "to this address could not be delivered: no &lt;UTF8&gt;" in (await signed_in.get(ONE)).text
