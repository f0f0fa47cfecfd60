from __future__ import annotations

import asyncio
import json
from typing import Any, Final

from portico_contracts.events import WEBHOOKS
from portico_runtime.http_client.outbound import ResponseHead
from portico_users.journal.outbox import Relay
from portico_users.webhooks.event_consumer import EventConsumer
from portico_users.webhooks.sender import Sender

from portico_fakes.management_api import ApiResponse

OF: Final = "portico.management.v1.WebhookService"
OF_INSTANCE: Final = "portico.admin.v1.WebhookService"
UPDATE_ORG: Final = "portico.management.v1.OrganizationService.UpdateOrg"


class WebhookScenario:
    def __init__(self, managed: Any) -> None:
        self.managed = managed
        self.users = managed.users
        self.posts = managed.users.posts

    def url(self, name: str) -> str:
        return f"https://{name}-{self.managed.tag}.example/in"

    async def call(self, method: str, body: Any, path: str = "", *, by: str = "owner", of: str = OF) -> ApiResponse:
        response: ApiResponse = await self.managed.api.json(
            f"{of}.{method}", body, token=self.managed.tokens[by], path=path
        )
        return response

    async def add(self, name: str = "first", *types: str, **more: Any) -> tuple[str, str]:
        body = {"name": f"{name} {self.managed.tag}", "url": self.url(name), "eventTypes": types or ("*",)}
        response = await self.call("AddWebhook", body, **more)
        assert response.code == 0, response.body
        return response.body["id"], response.body["secret"]

    async def do(self, what: str, id: str, body: Any = None, method: str = "") -> ApiResponse:
        method = method or f"{what.removeprefix('_').capitalize()}Webhook"
        return await self.call(method, body or {}, f"/management/v1/webhooks/{id}{'/' if what else ''}{what}")

    async def rename(self, name: str) -> None:
        body = {"name": f"{name} {self.managed.tag}"}
        response = await self.managed.api.json(UPDATE_ORG, body, token=self.managed.tokens["owner"])
        assert response.code == 0, response.body

    async def deliver(self) -> None:
        """Publishes, consumes and delivers every change that is due."""
        await self.enqueue()
        while under_way := await self.users.service.find(Sender).begin_due():
            await asyncio.gather(*under_way)

    async def enqueue(self) -> None:
        service = self.users.service
        while await service.find(Relay).publish_batch():
            pass
        while await self.users.bus.consume(WEBHOOKS, service.find(EventConsumer).consume, seconds=0):
            pass

    def got(self, name: str = "first") -> list[tuple[str, dict[str, str]]]:
        return [(body, headers) for url, body, headers in self.posts.got if url == self.url(name)]

    def about(self, name: str = "first") -> list[tuple[str, str, str]]:
        """Returns type, object and number of the events that a receiver got."""
        response = [json.loads(body) for body, _ in self.got(name)]
        return [(one["type"], one["data"]["aggregateId"], one["data"]["sequence"]) for one in response]

    def answer(self, name: str, *statuses: int | ResponseHead) -> None:
        """Sets a receiver's responses; the last one repeats."""
        left = list(statuses)

        async def answer(_body: str) -> int | ResponseHead:
            self.users.clock.tick(0.01)
            return left.pop(0) if len(left) > 1 else left[0]

        self.posts.answers[self.url(name)] = answer

    async def log(self, id: str, **conditions: Any) -> list[dict[str, Any]]:
        body = {"query": {"asc": True}, **conditions}
        response = await self.do("deliveries/_search", id, body, "ListDeliveries")
        return list(response.body.get("result", []))

    async def read(self, id: str) -> dict[str, Any]:
        return dict((await self.do("", id, method="GetWebhook")).body["webhook"])
