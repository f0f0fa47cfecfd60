from __future__ import annotations

import json
from typing import Any

from portico_contracts.users import GET_CLIENT_BY_URL, GIVE_CONSENT, Client, GetClient, GiveConsent
from portico_runtime.http_client.outbound import OutboundResponse

LOOPBACK = "http://127.0.0.1/callback"


class Host:
    """A host that serves a metadata document, and the organization that accepts it."""

    def __init__(self, world: Any) -> None:
        self.world = world
        self.name = f"{world.tag}.example"
        self.client_id = f"https://app.{self.name}/oauth/client.json"
        self.callback = f"https://app.{self.name}/callback"
        self.project = f"p-{world.tag}"

    def document(self, **members: Any) -> dict[str, Any]:
        document = {"client_id": self.client_id, "client_name": "Agent", "redirect_uris": [self.callback, LOOPBACK]}
        return document | members

    def serve(self, document: Any, status: int = 200, media: str = "application/json", cache: str = "") -> None:
        body = document if isinstance(document, bytes) else json.dumps(document).encode()

        async def answer(*_: Any) -> OutboundResponse:
            return OutboundResponse(status, body, content_type=media, cache_control=cache)

        self.world.providers.answers[self.client_id] = answer

    async def allow(self, **policy: Any) -> None:
        api = self.world.api_app(scopes=[{"scope": "orders.read", "title": "Read orders"}])
        org = self.world.only_apps(api=[api])
        accepted = {"hosts": [self.name], "projectId": self.project, **policy}
        await self.world.apply({**org, "humans": [self.world.human(id=self.user)], "clientMetadataPolicy": accepted})

    @property
    def user(self) -> str:
        return f"alice-{self.world.tag}"

    @property
    def fetched(self) -> int:
        return int(self.world.providers.asked.count(self.client_id))

    async def client(self) -> Client | None:
        asked = GetClient(client_id=self.client_id)
        found: Client | None = (await self.world.call(GET_CLIENT_BY_URL, asked)).client
        return found

    async def allow_openid(self) -> dict[str, Any]:
        """The user allows the client to sign in; returns the stored application."""
        given = GiveConsent(user_id=self.user, client_id=self.client_id, scopes=("openid",))
        await self.world.call(GIVE_CONSENT, given)
        (stored,) = await self.world.rows("apps", clientId=self.client_id)
        return dict(stored)
