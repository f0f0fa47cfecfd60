"""A directory that sends users and groups by SCIM through the gateway."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import httpx
import msgspec

from portico_scenarios.administrator import Administrator, administrator_of
from portico_scenarios.world import World

OF_SCIM: Final = "portico.management.v1.ScimService"
USER: Final = "urn:ietf:params:scim:schemas:core:2.0:User"
GROUP: Final = "urn:ietf:params:scim:schemas:core:2.0:Group"
PATCH: Final = "urn:ietf:params:scim:api:messages:2.0:PatchOp"


@dataclass(frozen=True, slots=True)
class Provisioner:
    """A SCIM connection of an organization.

    Args:
        owner: the administrator of the organization.
        url: base URL of the connection.
    """

    owner: Administrator
    id: str
    url: str
    secret: str = field(repr=False)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.secret}"}

    async def send(
        self, verb: str, path: str, body: Any = None, *, media: str = "application/scim+json"
    ) -> httpx.Response:
        content = None if body is None else msgspec.json.encode(body)
        headers = {**self.headers, **({} if body is None else {"Content-Type": media})}
        return await self.owner.world.http.request(verb, f"{self.url}{path}", headers=headers, content=content)

    def mail(self, name: str) -> str:
        return f"{name}@{self.owner.tag}.people.example"

    def person(self, name: str, **members: Any) -> dict[str, Any]:
        return {
            "schemas": [USER],
            "userName": self.mail(name),
            "externalId": f"{name}-external",
            "name": {"givenName": name.capitalize(), "familyName": "Example"},
            "emails": [{"value": self.mail(name), "type": "work", "primary": True}],
            "active": True,
            **members,
        }

    async def patch(self, path: str, *operations: dict[str, Any]) -> httpx.Response:
        return await self.send("PATCH", path, {"schemas": [PATCH], "Operations": list(operations)})


async def provisioner_of(world: World, owner: Administrator | None = None, **members: Any) -> Provisioner:
    """Connects a directory to the organization of an administrator, by default a new one."""
    owner = owner or await administrator_of(world, "ORG_OWNER")
    added = await owner.json(f"{OF_SCIM}.AddScimConnection", {"name": "Directory", **members})
    assert added.code == 0, added.body
    return Provisioner(owner, added.body["id"], added.body["url"], added.body["secret"])
