"""The management API over a real MongoDB, with callers of every kind."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from portico_testing.management_api import ManagementApi, Said

ADD = "portico.user.v2.UserService.AddHumanUser"
GET = "portico.user.v2.UserService.GetUserByID"
LIST = "portico.user.v2.UserService.ListUsers"


class ManagedWorld:
    """Two organizations with people and programs in every role.

    Attributes:
        api: what is called.
        tokens: by caller.
    """

    def __init__(self, users_world: Any, api: ManagementApi) -> None:
        self.users = users_world
        self.api = api
        self.tag = users_world.tag
        self.org_id = f"org-{self.tag}"
        self.other_org_id = f"other-{self.tag}"
        self.tokens: dict[str, str] = {}

    def domain(self, org_id: str) -> str:
        """The primary domain of an organization."""
        return f"{org_id}.example"

    def new_human(self, name: str = "new", **members: Any) -> dict[str, Any]:
        """The smallest body that creates a human."""
        return {
            "userId": f"{name}-{self.tag}",
            "profile": {"firstName": "Ada", "lastName": "Byron"},
            "email": {"email": f"{name}-{self.tag}@mail.example", "isVerified": True},
            **members,
        }

    async def add(self, body: Any, *, by: str = "owner", **more: Any) -> Said:
        """Creates a human by JSON."""
        return await self.api.json(ADD, body, token=self.tokens.get(by, ""), **more)

    async def get(self, user_id: str, *, by: str = "owner", **more: Any) -> Said:
        """Reads a user by JSON."""
        return await self.api.json(GET, {}, token=self.tokens.get(by, ""), path=f"/v2/users/{user_id}", **more)

    async def set_up(self) -> None:
        """Applies the organizations and makes a token for every caller."""
        first = [("owner", ["ORG_OWNER"]), ("viewer", ["ORG_OWNER_VIEWER"]), ("iam", ["IAM_OWNER"]), ("robot", [])]
        await self.users.apply(
            self._organization(self.org_id, [*first, ("self", [])]),
            self._organization(self.other_org_id, [("foreign", ["ORG_OWNER"])]),
        )
        for caller in ("owner", "viewer", "iam", "robot", "self", "foreign"):
            self.tokens[caller] = self.api.token_of(f"{caller}-{self.tag}")
        self.tokens["expired"] = "nobody's"

    def _organization(self, id: str, people: list[tuple[str, list[str]]]) -> dict[str, Any]:
        robots = [self._robot(name, roles) for name, roles in people if name == "robot"]
        humans = [self._human(name, roles) for name, roles in people if name != "robot"]
        return {"id": id, "name": id, "primaryDomain": self.domain(id), "humans": humans, "serviceUsers": robots}

    def _human(self, name: str, roles: list[str]) -> dict[str, Any]:
        return {
            "id": f"{name}-{self.tag}",
            "username": f"{name}-{self.tag}",
            "profile": {"firstName": name, "lastName": "Adams"},
            "email": {"email": f"{name}-{self.tag}@people.example", "isVerified": True},
            "roles": roles,
        }

    def _robot(self, name: str, roles: list[str]) -> dict[str, Any]:
        id = f"{name}-{self.tag}"
        return {"id": id, "username": id, "name": name, "roles": roles}


@pytest.fixture
async def managed(users_world: Any) -> AsyncIterator[ManagedWorld]:
    """The management API with its callers."""
    api = ManagementApi(users_world.service, users_world.bus)
    world = ManagedWorld(users_world, api)
    await world.set_up()
    yield world
    await api.http.aclose()
