"""Agents of three kinds, for users of an organization: two with metadata documents of one host, and a registered one."""

from __future__ import annotations

import json
from typing import Any

from portico_contracts.users import AGENT_USED, GIVE_CONSENT, AgentUsed, ApiScope, GiveConsent
from portico_fakes.management_api import ApiResponse, call_as
from portico_harness.eventually import HANGS, eventually
from portico_runtime.http_client.outbound import OutboundResponse

from .own_apps import CODE, on_apps

AGENTS = "portico.management.v1.AgentService"


class AgentsWorld:
    def __init__(self, managed: Any) -> None:
        self.managed = managed
        self.host = f"agents.{managed.tag}.example"
        self.coder, self.writer = (f"https://{self.host}/{name}.json" for name in ("coder", "writer"))
        self.registered = self.shop = self.registered_app = ""

    async def set_up(self) -> None:
        managed = self.managed
        await managed.furnish("owner")
        for client_id in (self.coder, self.writer):
            self._serve(client_id)
        policy = {"hosts": [self.host], "projectId": f"p-owner-{managed.tag}"}
        await call_as(managed, "portico.management.v1.PolicyService.AddCustomClientMetadataPolicy", policy)
        agent = await on_apps(
            managed, "AddOIDCApp", "/oidc", name="Planner", **CODE, agent=True, consent="CONSENT_ONCE"
        )
        shop = await on_apps(managed, "AddOIDCApp", "/oidc", name="Shop", **CODE, consent="CONSENT_ONCE")
        self.registered, self.registered_app = agent.body["clientId"], agent.body["appId"]
        self.shop = shop.body["clientId"]

    def _serve(self, client_id: str) -> None:
        document = {
            "client_id": client_id,
            "client_name": client_id.rpartition("/")[2].removesuffix(".json"),
            "redirect_uris": [f"https://{self.host}/cb"],
        }

        async def answer(*_: Any) -> OutboundResponse:
            return OutboundResponse(200, json.dumps(document).encode(), content_type="application/json")

        self.managed.users.providers.answers[client_id] = answer

    def user(self, name: str) -> str:
        return f"{name}-{self.managed.tag}"

    async def allow(self, name: str, client_id: str, *scopes: str, api: str = "", of_api: str = "") -> None:
        of_apis = (ApiScope(api, of_api),) if api else ()
        given = GiveConsent(user_id=self.user(name), client_id=client_id, scopes=scopes, of_apis=of_apis)
        await self.managed.users.call(GIVE_CONSENT, given)

    async def use(self, name: str, client_id: str, **more: Any) -> None:
        """Reports a use as token does, and waits until it is stored."""
        user, users = self.user(name), self.managed.users
        values = {"audience": (), "scope": ("openid",), "at": users.clock.now(), **more}
        await users.bus.send(AGENT_USED, AgentUsed(user_id=user, client_id=client_id, **values))

        async def stored() -> int:
            rows = await users.rows("agentUses", userId=user, clientId=client_id)
            return sum(row["at"] == values["at"] for row in rows)

        await eventually(stored, bool, HANGS)

    async def of_user(self, name: str, *, by: str = "owner") -> list[dict[str, Any]]:
        path = f"/management/v1/users/{self.user(name)}/agents/_search"
        found = await call_as(self.managed, f"{AGENTS}.ListUserAgents", {}, path=path, by=by)
        return _result(found)

    async def of_org(self, *, by: str = "owner", **filters: Any) -> list[dict[str, Any]]:
        return _result(await call_as(self.managed, f"{AGENTS}.ListAgents", filters, by=by))

    async def of_app(self, app_id: str, *, by: str = "owner") -> ApiResponse:
        path = f"/management/v1/projects/p-owner-{self.managed.tag}/apps/{app_id}/agents/_search"
        return await call_as(self.managed, f"{AGENTS}.ListAppAgents", {}, path=path, by=by)

    async def end(self, name: str, *, by: str = "owner", **named: Any) -> ApiResponse:
        path = f"/management/v1/users/{self.user(name)}/agents/_end"
        return await call_as(self.managed, f"{AGENTS}.EndUserAgents", named, path=path, by=by)

    async def end_all(self, *, by: str = "owner", **named: Any) -> ApiResponse:
        return await call_as(self.managed, f"{AGENTS}.EndAgents", named, by=by)


def _result(found: ApiResponse) -> list[dict[str, Any]]:
    assert found.code == 0, found.body
    result: list[dict[str, Any]] = found.body.get("result", [])
    return result
