"""The page of one user: its header, tabs and empty sections."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from portico_fakes.console_service import ConsoleService, refusal

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
    head = page.split('id="person"')[1].split('id="person-actions"', maxsplit=1)[0]
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
    """There is one primary action, and the others are in the menu."""
    console.provider.answers |= {
        f"{USER_API}/GetUserByID": user(state=state),
        f"{USER_API}/ListAuthenticationMethodTypes": methods(*words),
    }
    page = (await signed_in.get(ONE)).text

    assert primary(page) == [first]
    assert 'id="do-remove"' in page.split('id="person-actions"')[1]


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
    session = {"id": "s9", "device": "Firefox, Linux", "amr": ["pwd", "hwk", "user", "mfa"]}
    console.provider.answers |= {
        f"{USER_API}/ListAuthenticationMethodTypes": methods("PASSWORD", "U2F", "TOTP"),
        f"{USER_API}/ListAuthenticationFactors": answering({"result": [key, {"otp": {}}]}),
        f"{MANAGEMENT}.SessionService/ListUserSessions": answering({"result": [session]}),
    }
    page = (await signed_in.get(f"{ONE}/sign-in")).text
    called = {name for name, _fields in console.provider.calls}

    assert f'href="{ONE}/security-keys/k%252F1/do/rename"' in page
    assert f'href="{ONE}/security-keys/k%252F1/do/remove"' in page
    assert f'href="{ONE}/factors/do/no-totp"' in page
    assert f'href="{ONE}/sessions/s9/do/remove"' in page
    assert "Password, Passkey or security key" in page
    assert re.search(r'id="not-set-up">Not set up: Passkey, Email code, Recovery codes, Linked identity<', page)
    assert f"{USER_API}/ListPasskeys" not in called


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
    }  # fmt: skip
    page = (await signed_in.get(f"{ONE}/access")).text

    assert "<bdi>Shop</bdi>" in page
    assert "<bdi>Developer</bdi>, <bdi>ops</bdi>" in page
    assert "<bdi>p2</bdi>" in page
    assert "Organization <bdi>Home</bdi></th><td><bdi>Organization user manager</bdi>" in page
    assert "<bdi>Instance owner</bdi>" in page
    assert 'id="no-apps"' in page


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
    assert "do-" not in page
    assert "lost-device" not in page


async def test_language_is_chosen_by_its_name(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """A language that no page has stays selectable, so that saving the form does not remove it."""
    known = (await signed_in.get(f"{ONE}/do/profile")).text
    profile = {**GRACE["human"]["profile"], "preferredLanguage": "de-CH"}
    console.provider.answers[f"{USER_API}/GetUserByID"] = user(human={**GRACE["human"], "profile": profile})
    other = (await signed_in.get(f"{ONE}/do/profile")).text

    assert '<option value="de" selected>Deutsch</option>' in known
    assert '<option value="de-CH" selected>de-CH</option>' in other
