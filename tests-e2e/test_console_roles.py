"""For each role, the console offers exactly the actions that the role permits."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from portico_console.console_app.screens.screen import Action, Screen
from portico_console.console_app.screens.table import BY_KEY
from portico_console.forms.pickers import ROLES as NAMED
from portico_contracts.apply import (
    Document,
    Email,
    EndUser,
    Group,
    Member,
    OidcApp,
    Organization,
    Password,
    Profile,
    Project,
    Role,
    ServiceUser,
)
from portico_contracts.management import METHODS
from portico_scenarios.agent import Agent
from portico_scenarios.world import World
from portico_users.administrators.permissions import ROLES, permissions_of

pytestmark = pytest.mark.e2e

PASSWORD = "a whistle in the dark wood"
FORBIDDEN = 403
NOT_THERE = 404
BY_HAND = ("users", "user-sessions", "user-factors", "user-links")
"""Pages that offer an action only where there is something to do, or elsewhere."""

_CSRF = re.compile(r'name="csrf" value="([^"]+)"')

OF_INSTANCE = ("IAM_OWNER", "IAM_OWNER_VIEWER", "IAM_ORG_MANAGER", "IAM_USER_MANAGER")
OF_ORG = (
    "ORG_OWNER", "ORG_OWNER_VIEWER", "ORG_USER_MANAGER", "ORG_SETTINGS_MANAGER", "ORG_USER_PERMISSION_EDITOR",
    "ORG_PROJECT_PERMISSION_EDITOR", "ORG_PROJECT_CREATOR", "ORG_USER_SELF_MANAGER", "ORG_END_USER_IMPERSONATOR",
)  # fmt: skip
WITHOUT_ACTIONS = (
    "IAM_OWNER_VIEWER",
    "ORG_OWNER_VIEWER",
    "ORG_USER_SELF_MANAGER",
    "ORG_END_USER_IMPERSONATOR",
    "PROJECT_OWNER_VIEWER",
)
OF_PROJECT = ("PROJECT_OWNER", "PROJECT_OWNER_VIEWER")
EVERY_RUN = ("ORG_OWNER", "PROJECT_OWNER")
"""The others belong to `make test-all`."""


LISTS = (
    "users", "machines", "grants", "domains", "members", "granted", "org-history", "projects", "idps", "webhooks", "apps", "roles", "project-members", "project-grants", "user-grants", "user-sessions",
    "user-factors", "user-links", "user-metadata", "machine-keys", "machine-tokens", "groups", "group-members",
    "group-roles", "group-groups", "group-mappings", "user-groups",
)  # fmt: skip
OBJECTS = ("users", "machines", "org", "projects", "apps", "roles", "links", "groups")
INSTANCE = (
    "instance-orgs", "instance-members", "instance-webhooks", "instance-idps", "lifetimes", "intents", "impersonation",
)  # fmt: skip


def test_every_role_has_a_name_and_a_meaning() -> None:
    assert set(NAMED) == set(ROLES)


@dataclass(frozen=True)
class Place:
    """An organization with a user in each role, and objects to act on."""

    world: World
    tag: str

    @property
    def parts(self) -> dict[str, str]:
        names = {"org": "org", "user": "target", "project": "project", "app": "app", "group": "group"}
        return {part: f"{name}-{self.tag}" for part, name in names.items()} | {"role": "reader"}

    def path(self, pattern: str, screen: Screen) -> str:
        parts = self.parts | ({"user": f"robot-{self.tag}"} if screen.key.startswith("machine") else {})
        return f"{self.world.issuer}/ui/console{pattern.format_map(parts)}"


def _user(name: str, tag: str, **members: Any) -> EndUser:
    return EndUser(
        id=f"{name}-{tag}",
        username=f"{name}-{tag}",
        profile=Profile(first_name=name, last_name="Example"),
        email=Email(email=f"{name}-{tag}@example.test", is_verified=True),
        password=Password(password=PASSWORD),
        **members,
    )


@pytest.fixture(scope="module")
async def place(world: World) -> Place:
    """Declared once for all roles."""
    tag = secrets.token_hex(4)
    people = [_user(role.lower(), tag, roles=(role,)) for role in (*OF_INSTANCE, *OF_ORG)]
    in_project = [_user(role.lower(), tag) for role in OF_PROJECT]
    members = tuple(Member(user=f"{role.lower()}-{tag}", roles=(role,)) for role in OF_PROJECT)
    app = OidcApp(id=f"app-{tag}", name="shop", client_id=f"app-{tag}", redirect_uris=("https://shop.example/cb",))
    project = Project(
        id=f"project-{tag}", name="web", roles=(Role(role_key="reader"),), oidc_apps=(app,), members=members
    )
    organization = Organization(
        id=f"org-{tag}",
        name=f"Roles {tag}",
        humans=(*people, *in_project, _user("target", tag)),
        service_users=(ServiceUser(id=f"robot-{tag}", username=f"robot-{tag}", name="Robot"),),
        projects=(project,),
        groups=(Group(id=f"group-{tag}", name="Staff"),),
    )
    await world.stack.apply(Document(organizations=(organization,)))
    return Place(world, tag)


@pytest.mark.parametrize(
    "role",
    [
        pytest.param(role, marks=() if role in EVERY_RUN else pytest.mark.long)
        for role in (*OF_INSTANCE, *OF_ORG, *OF_PROJECT)
    ],
)
async def test_pages_offer_exactly_the_permitted_actions(place: Place, role: str) -> None:
    """No offered form is answered with 403, and a missing one needs a permission that the role lacks."""
    found: list[str] = []
    tried = 0
    async with place.world.agent() as agent:
        page = await agent.sign_in(f"{place.world.issuer}/ui/console/all", f"{role.lower()}-{place.tag}", PASSWORD)
        csrf = _CSRF.findall(page.response.text)[-1]
        for screen, address, actions in _pages(place, role):
            response = await agent.http.get(address)
            if response.status_code in (FORBIDDEN, NOT_THERE):
                continue
            assert response.status_code == 200, f"{address}: {response.status_code}"
            offered = set(re.findall(r'id="do-([\w-]+)"', response.text.partition('id="part-')[0]))
            held = permissions_of(role) if role not in OF_PROJECT or "{project}" in screen.object_path else frozenset()
            for action in actions:
                if action.word not in offered:
                    if screen.key in BY_HAND:
                        continue
                    found += [f"{screen.key} {action.word} is missing"] if _is_missing(action, held) else []
                    continue
                tried += 1
                if (needed := METHODS[action.method.replace("/", ".")].permission.name) and needed not in held:
                    found.append(f"{screen.key} {action.word} is offered without {needed}")
                if await _try(agent, csrf, address, action) == FORBIDDEN:
                    found.append(f"{screen.key} {action.word} is offered and refused")

    assert not found, "; ".join(found)
    assert tried or role in WITHOUT_ACTIONS


def _is_missing(action: Action, held: frozenset[str]) -> bool:
    """Reports whether an action is missing although the role has the permission and the object allows it."""
    by_object = action.states or action.needs or action.own is not None
    return not by_object and METHODS[action.method.replace("/", ".")].permission.name in held


def _pages(place: Place, role: str) -> Iterator[tuple[Screen, str, tuple[Action, ...]]]:
    for key in LISTS:
        yield BY_KEY[key], place.path(BY_KEY[key].path, BY_KEY[key]), BY_KEY[key].create
    for key in OBJECTS:
        yield BY_KEY[key], place.path(BY_KEY[key].object_path, BY_KEY[key]), BY_KEY[key].actions
    if role in OF_INSTANCE:
        for key in INSTANCE:
            screen = BY_KEY[key]
            yield screen, place.path(screen.path, screen), screen.create if screen.listing else screen.actions


async def _try(agent: Agent, csrf: str, address: str, action: Action) -> int:
    """Submits an empty form; only opens it where submitting would change what other tests use."""
    if not action.only or "/ui/console/instance/" in address:
        return (await agent.http.get(f"{address}/do/{action.word}")).status_code
    headers = {"Origin": address.partition("/ui/")[0], "Sec-Fetch-Site": "same-origin"}
    return (await agent.http.post(f"{address}/do/{action.word}", data={"csrf": csrf}, headers=headers)).status_code
