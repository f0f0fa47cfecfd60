"""Scenario: an organization grants its project to another one, whose owner grants its users roles."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec import structs
from portico_contracts.users import CHECK_PROJECT_ACCESS, GET_ROLES, CheckProjectAccess, GetRoles, ProjectAccess
from portico_fakes.management_api import ApiResponse, call_as
from portico_runtime.mongo.client import Session
from portico_users.grants import role_constraints
from portico_users.identity_providers import endings, former_users
from portico_users.journal import cascades, journal

OF = "portico.management.v1"
GRANTS = f"{OF}.ProjectGrantService"


def set_batches(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Roles and links are taken from `size` users in a transaction, and from twice as many in that of the removal."""
    for module in (role_constraints, endings, former_users, journal):
        monkeypatch.setattr(module, "AT_ONCE", size)
    monkeypatch.setattr(cascades, "IN_ONE", 2 * size)


class Stop:
    """Blocks a transaction, each time it is tried."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.may_go_on = asyncio.Event()

    async def __call__(self, _session: Session) -> None:
        self.reached.set()
        await self.may_go_on.wait()


class Granting:
    def __init__(self, managed: Any) -> None:
        self.managed = managed
        self.tag = managed.tag
        self.project_id = f"shop-{self.tag}"
        self.people = [f"{name}-{self.tag}" for name in ("clerk", "helper")]

    async def set_up(self, *people: str, furnished: bool = False) -> None:
        """Gives the first organization a project and the second one people.

        Args:
            furnished: `furnish` has written some of it, so that copies would be duplicates.
        """
        self.people += [f"{name}-{self.tag}" for name in people]
        await (self._apply() if furnished else self.managed.write_once(f"granting {people}", self._apply))
        for id in self.people:
            self.managed.tokens[id.split("-", maxsplit=1)[0]] = self.managed.api.token_of(id)

    async def _apply(self) -> None:
        managed = self.managed
        roles = [{"roleKey": key, "displayName": key.title()} for key in ("admin", "reader", "writer")]
        project = {"id": self.project_id, "name": f"Shop {self.tag}", "roles": roles}
        users = [{"id": id, "username": id, "name": id} for id in self.people]
        for id, members in (
            (managed.org_id, {"projects": [project]}),
            (managed.other_org_id, {"serviceUsers": users}),
            (managed.peer_org_id, {}),
        ):
            await managed.users.apply({"id": id, "name": id, "primaryDomain": managed.domain(id), **members})

    async def call(
        self, method: str, body: Any = None, path: str = "", *, by: str = "owner", **more: Any
    ) -> ApiResponse:
        name = f"{OF}.{method}" if "." in method else f"{GRANTS}.{method}"
        path = f"/management/v1{path}"
        return await call_as(self.managed, name, body or {}, by=by, path=path, **more)

    async def make(self, *roles: str, to: str = "") -> ApiResponse:
        body = {"grantedOrgId": to or self.managed.other_org_id, "roleKeys": list(roles)}
        return await self.call("AddProjectGrant", body, f"/projects/{self.project_id}/grants")

    async def made(self, *roles: str) -> str:
        return str((await self.make(*roles)).body["grantId"])

    def path(self, grant_id: str, rest: str = "") -> str:
        return f"/projects/{self.project_id}/grants/{grant_id}{rest}"

    async def change(self, grant_id: str, *roles: str) -> ApiResponse:
        return await self.call("UpdateProjectGrant", {"roleKeys": list(roles)}, self.path(grant_id))

    async def give(
        self, grant_id: str, *roles: str, to: str = "clerk", by: str = "foreign", **more: Any
    ) -> ApiResponse:
        body = {"projectId": self.project_id, "projectGrantId": grant_id, "roleKeys": list(roles), **more}
        return await self.call("UserGrantService.AddUserGrant", body, f"/users/{to}-{self.tag}/grants", by=by)

    async def roles(self, user: str = "clerk") -> set[str]:
        ask = GetRoles(user_id=f"{user}-{self.tag}", project_ids=(self.project_id,))
        return set((await self.managed.users.call(GET_ROLES, ask)).roles.get(self.project_id, {}))

    async def admission(self, user: str) -> ProjectAccess:
        ask = CheckProjectAccess(user_id=f"{user}-{self.tag}", project_id=self.project_id)
        access: ProjectAccess = await self.managed.users.call(CHECK_PROJECT_ACCESS, ask)
        return structs.replace(access, version="")

    async def stored(self, user: str = "clerk") -> list[dict[str, Any]]:
        (row,) = await self.managed.users.rows("users", _id=f"{user}-{self.tag}")
        return list(row["grants"])

    async def events_of(self, id: str) -> list[tuple[str, list[str], str]]:
        rows = sorted(await self.managed.users.rows("events", object=id), key=lambda row: int(row["sequence"]))
        return [(row["action"], row["fields"], row["actor"]) for row in rows]
