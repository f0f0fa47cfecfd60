"""An application with a SCIM target, and users who come and go."""

from __future__ import annotations

import asyncio
from typing import Any

from portico_contracts.events import WEBHOOKS
from portico_fakes.scim_server import ScimServer
from portico_users.journal.outbox import Relay
from portico_users.scim_targets.sender import TargetSender
from portico_users.scim_targets.target_changes import SETTLING_SECONDS
from portico_users.webhooks.event_consumer import EventConsumer

_OF = "portico.management.v1.ScimTargetService"
_USER = "portico.user.v2.UserService"
TOKEN = "secret-of-the-target"


class Targeting:
    """Attributes:
    id: of the target.
    """

    def __init__(self, managed: Any) -> None:
        self.managed = managed
        self.server: ScimServer = managed.users.scim_server
        self.tag = managed.tag
        self.project_id, self.app_id = f"p-owner-{self.tag}", f"app-owner-{self.tag}"
        self.place = f"/management/v1/projects/{self.project_id}/apps/{self.app_id}/scim/targets"
        self.id = ""

    async def set_up(self, *, active: bool = True, **settings: Any) -> Targeting:
        await self._forget()
        await self.managed.furnish("owner")
        answer = await self.add(**settings)
        assert answer.code == 0, answer.body
        self.id = answer.body["id"]
        if active:
            await self.call("Activate")
            await self.compare()
        return self

    async def _forget(self) -> None:
        """Tests share outbox, lease and queues, and their clocks differ."""
        database = self.managed.users.parts.mongo.database
        for collection in ("outbox", "leases", "webhookLanes", "scimTargetQueues"):
            await database[collection].delete_many({})

    async def add(self, *, by: str = "owner", **settings: Any) -> Any:
        body = {"name": f"target {self.tag}", "url": self.server.base, "tokenSecret": TOKEN, "rate": 50, **settings}
        return await self.managed.api.json(f"{_OF}.AddScimTarget", body, token=self.managed.tokens[by], path=self.place)

    async def change(self, **settings: Any) -> Any:
        body = {"name": f"target {self.tag}", "url": self.server.base, **settings}
        return await self._call("UpdateScimTarget", body, "")

    async def call(self, verb: str, *, method: str = "") -> Any:
        answer = await self._call(method or f"{verb}ScimTarget", {}, f"/_{verb.lower()}")
        assert answer.code == 0, answer.body
        return answer.body

    async def remove(self) -> None:
        assert (await self._call("RemoveScimTarget", "", "")).code == 0

    async def read(self) -> dict[str, Any]:
        found: dict[str, Any] = (await self._call("GetScimTarget", "", "")).body["target"]
        return found

    async def attention(self) -> list[dict[str, Any]]:
        """What the start page of the organization shows about targets."""
        name = "portico.management.v1.StatisticsService.GetStatistics"
        answer = await self.managed.api.json(name, "", token=self.managed.tokens["owner"])
        kind = "ATTENTION_KIND_SCIM_TARGET_FAILS"
        return [one for one in answer.body["statistics"].get("attention", []) if one["kind"] == kind]

    async def dry_run(self) -> dict[str, Any]:
        """What the run found, by step, with the names of the first users."""
        await self.call("dry_run", method="DryRunScimTarget")
        await self.work()
        run: dict[str, Any] = (await self.read())["dryRun"]
        assert run["state"] == "SCIM_TARGET_RUN_STATE_ENDED", run
        return {name: value for name, value in run.items() if name not in ("state", "startDate", "endDate")}

    async def compare(self) -> None:
        """Until the comparison after a change of the target has ended, with what it made due."""
        await self.events()
        self.managed.users.clock.tick(SETTLING_SECONDS)
        await self.work()

    async def push(self) -> None:
        """Publishes and consumes all changes, and sends what is due."""
        await self.events()
        await self.work()

    async def events(self) -> None:
        service = self.managed.users.service
        while await service.find(Relay).publish_batch():
            pass
        while await self.managed.users.bus.consume(WEBHOOKS, service.find(EventConsumer).consume, seconds=0):
            pass

    async def work(self) -> None:
        while under_way := await self.managed.users.service.find(TargetSender).begin_due():
            await asyncio.gather(*under_way)

    async def person(self, name: str, *, role: bool = True, **members: Any) -> str:
        answer = await self.managed.add(self.managed.new_human(name, **members))
        assert answer.code == 0, answer.body
        id = str(answer.body["userId"])
        if role:
            await self.grant(id)
        return id

    async def grant(self, user_id: str) -> str:
        body = {"projectId": self.project_id, "roleKeys": ["reader"]}
        path = f"/management/v1/users/{user_id}/grants"
        answer = await self._json("portico.management.v1.UserGrantService.AddUserGrant", body, path)
        assert answer.code == 0, answer.body
        return str(answer.body["userGrantId"])

    async def end_grant(self, user_id: str, grant_id: str) -> None:
        path = f"/management/v1/users/{user_id}/grants/{grant_id}"
        assert (await self._json("portico.management.v1.UserGrantService.RemoveUserGrant", "", path)).code == 0

    async def join(self, user_id: str, group_id: str) -> None:
        name = "portico.management.v1.GroupService.AddGroupMember"
        path = f"/management/v1/groups/{group_id}/members"
        assert (await self._json(name, {"userId": user_id}, path)).code == 0

    async def grant_group(self, group_id: str) -> None:
        name = "portico.management.v1.GroupService.SetGroupRoles"
        path = f"/management/v1/groups/{group_id}/roles/{self.project_id}"
        answer = await self._json(name, {"roleKeys": ["reader"]}, path)
        assert answer.code == 0, answer.body

    async def user(self, verb: str, user_id: str) -> None:
        path = f"/v2/users/{user_id}" + ("" if verb == "delete" else f"/{verb}")
        answer = await self._json(f"{_USER}.{verb.capitalize()}User", "" if verb == "delete" else {}, path)
        assert answer.code == 0, answer.body

    async def rename(self, user_id: str, first: str, last: str = "Byron") -> None:
        body = {"profile": {"givenName": first, "familyName": last, "displayName": f"{first} {last}"}}
        answer = await self._json(f"{_USER}.UpdateHumanUser", body, f"/v2/users/human/{user_id}")
        assert answer.code == 0, answer.body

    def mail(self, name: str) -> str:
        return f"{name}-{self.tag}@mail.example"

    async def rows(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = await self.managed.users.rows("scimTargetUsers", targetId=self.id)
        return found

    async def _call(self, method: str, body: Any, path: str) -> Any:
        return await self._json(f"{_OF}.{method}", body, f"{self.place}/{self.id}{path}")

    async def _json(self, name: str, body: Any, path: str) -> Any:
        return await self.managed.api.json(name, body, token=self.managed.tokens["owner"], path=path)
