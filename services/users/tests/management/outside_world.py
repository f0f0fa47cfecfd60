"""An organization with an outside server and an application that is an agent."""

from __future__ import annotations

from typing import Any

from portico_contracts.users import REQUEST_ASSERTION, AssertionRequested, RequestAssertion
from portico_fakes.management_api import ApiResponse, call_as
from portico_users.outside_servers.server import OUTSIDE_SERVERS, Covered, OutsideApplication, OutsideServer

from .own_apps import CODE, on_apps

SERVERS = "portico.management.v1.OutsideServerService"
CHAT = "https://auth.chat.example"
MCP = "https://mcp.chat.example"
SELECTED, EVERYBODY = "OUTSIDE_SERVER_PEOPLE_SELECTED", "OUTSIDE_SERVER_PEOPLE_ORGANIZATION"


class OutsideWorld:
    """An organization with an application that is an agent, and a server for everybody."""

    def __init__(self, managed: Any) -> None:
        self.managed = managed
        self.client_id = self.app_id = self.server_id = ""

    async def set_up(self) -> None:
        await self.managed.furnish("owner")
        await self.managed.users.parts.mongo.database["outsideServers"].delete_many({"orgId": self.managed.org_id})
        app = await on_apps(
            self.managed, "AddOIDCApp", "/oidc", name="Assistant", **CODE, agent=True, consent="CONSENT_ONCE"
        )
        self.client_id, self.app_id = app.body["clientId"], app.body["appId"]
        added = await self.add()
        assert added.code == 0, added.body
        self.server_id = added.body["id"]

    def values(self, **changed: Any) -> dict[str, Any]:
        return {
            "name": "Chat",
            "issuer": CHAT,
            "applications": [{"clientId": self.client_id, "outsideClientId": "assistant-at-chat"}],
            "resources": [MCP, f"{MCP}/two"],
            "scopes": ["chat.read", "chat.history"],
            "people": EVERYBODY,
            **changed,
        }

    async def add(self, *, by: str = "owner", **changed: Any) -> ApiResponse:
        return await call_as(self.managed, f"{SERVERS}.AddOutsideServer", self.values(**changed), by=by)

    async def update(self, **changed: Any) -> None:
        path = f"/management/v1/outside-servers/{self.server_id}"
        updated = await call_as(self.managed, f"{SERVERS}.UpdateOutsideServer", self.values(**changed), path=path)
        assert updated.code == 0, updated.body

    async def remove(self) -> None:
        path = f"/management/v1/outside-servers/{self.server_id}"
        assert (await call_as(self.managed, f"{SERVERS}.RemoveOutsideServer", {}, path=path)).code == 0

    async def get(self) -> dict[str, Any]:
        path = f"/management/v1/outside-servers/{self.server_id}"
        found: dict[str, Any] = (await call_as(self.managed, f"{SERVERS}.GetOutsideServer", {}, path=path)).body
        return found["server"]  # type: ignore[no-any-return]

    async def ask(self, user: str = "self", **changed: Any) -> AssertionRequested:
        values = {"client_id": self.client_id, "audience": CHAT, "resources": (MCP,), "scope": ("chat.read",)}
        wanted = RequestAssertion(user_id=f"{user}-{self.managed.tag}", **{**values, **changed})
        found: AssertionRequested = await self.managed.users.call(REQUEST_ASSERTION, wanted)
        return found


def furnished_servers(callers: tuple[str, ...], org_id: str, tag: str) -> list[dict[str, Any]]:
    """A stored server for each caller of the permission rows."""
    servers = [
        OutsideServer(
            id=f"server-{caller}-{tag}",
            org_id=org_id,
            name=f"server {caller} {tag}",
            issuer=CHAT,
            applications=(OutsideApplication(client_id="assistant"),),
            resources=(MCP,),
            people=Covered.ORGANIZATION,
        )
        for caller in callers
    ]
    return [OUTSIDE_SERVERS.document(server) for server in servers]
