"""A client of the management API through the gateway in each wire format."""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

import grpc
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from portico_contracts.apply import Document, Organization, ServiceUser
from portico_contracts.management import METHODS
from portico_fakes.management_api import ApiResponse, message_of, read_connect, read_grpc_web, read_json, read_status

from portico_scenarios.participants import KnownUser
from portico_scenarios.relying_party import Client
from portico_scenarios.replica_clients import Post
from portico_scenarios.world import World

SCOPE: Final = "openid urn:portico:project:id:portico:aud"
PASSWORD: Final = "a whistle in the dark wood"
_SECRET: Final = "the secret of the one who administers"
_DEADLINE: Final = 30.0
"""Seconds after which a call is considered to hang."""


@dataclass(frozen=True, slots=True)
class Administrator:
    """A service user with a role, and its token.

    Args:
        tag: makes the names of this one unique.
        org_id: its organization.
    """

    world: World
    tag: str
    org_id: str
    token: str = field(repr=False)

    def human(self, name: str, **members: Any) -> dict[str, Any]:
        """Creates a user who can sign in."""
        return {
            "userId": f"{name}-{self.tag}",
            "username": f"{name}-{self.tag}",
            "organisation": {"orgId": "e2e-org"},
            "profile": {"firstName": name, "lastName": "Example"},
            "email": {"email": f"{name}-{self.tag}@mail.example.test", "isVerified": True},
            "password": {"password": PASSWORD},
            **members,
        }

    def person(self, name: str) -> KnownUser:
        """Like `human`, as a user of the login pages."""
        return KnownUser(f"{name}-{self.tag}", f"{name}-{self.tag}", PASSWORD)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def prepared(self, name: str, members: Any) -> Post:
        """Returns a Connect call with JSON for concurrent sending; an error has the HTTP status and the code's name."""
        content = json.dumps(members).encode()
        headers = {"Content-Type": "application/json", "Content-Length": str(len(content)), **self.headers}
        return Post(METHODS[name].path, content, [("Host", "localhost"), *headers.items()])

    async def add_app(self, project_id: str, *more_grants: str, **members: Any) -> Client:
        """Registers an application with the code grant and further grants and members."""
        app: dict[str, Any] = {
            "name": "web",
            "redirectUris": ["https://shop.example/cb"],
            "responseTypes": ["OIDC_RESPONSE_TYPE_CODE"],
            "grantTypes": ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", *more_grants],
            **members,
        }
        path = f"/management/v1/projects/{project_id}/apps/oidc"
        added = await self.json("portico.management.v1.AppService.AddOIDCApp", app, path=path)
        assert added.code == 0, added.body
        return Client(added.body["clientId"], app["redirectUris"][0], added.body["clientSecret"])

    async def json(self, name: str, members: Any, *, path: str = "", **more: Any) -> ApiResponse:
        """Calls by JSON; a method without a body takes its fields in the query.

        Args:
            path: for the fields in the path of the .proto file.
        """
        method = METHODS[name]
        url = f"{self.world.issuer}{path or method.template}"
        sent = {"json": members} if method.has_body else {"params": members}
        return read_json(await self.world.http.request(method.verb, url, headers=self.headers, **sent, **more))

    async def connect(self, name: str, members: Any) -> ApiResponse:
        headers = {**self.headers, "Connect-Protocol-Version": "1"}
        url = f"{self.world.issuer}{METHODS[name].path}"
        return read_connect(await self.world.http.post(url, json=members, headers=headers))

    async def grpc_web(self, name: str, members: Any) -> ApiResponse:
        body = message_of(name, members).SerializeToString()
        headers = {**self.headers, "Content-Type": "application/grpc-web+proto"}
        content = b"\x00" + len(body).to_bytes(4, "big") + body
        url = f"{self.world.issuer}{METHODS[name].path}"
        return read_grpc_web(name, await self.world.http.post(url, content=content, headers=headers))

    async def grpc(self, name: str, members: Any, *, token: str | None = None) -> ApiResponse:
        async with self.channel() as channel:
            return await self.by(channel, name, message_of(name, members), token=token)

    @asynccontextmanager
    async def channel(self) -> AsyncIterator[Any]:
        target = urlsplit(self.world.issuer).netloc
        async with grpc.aio.insecure_channel(target, options=[("grpc.enable_http_proxy", 0)]) as channel:
            yield channel

    async def by(self, channel: Any, name: str, message: Message, *, token: str | None = None) -> ApiResponse:
        method = METHODS[name]
        call = channel.unary_unary(
            method.path,
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=method.response.FromString,
        )
        metadata = (("authorization", f"Bearer {self.token if token is None else token}"),)
        try:
            answer: Message = await call(message, metadata=metadata, timeout=_DEADLINE)
        except grpc.aio.AioRpcError as error:
            packed: Any = dict(error.trailing_metadata() or ())["grpc-status-details-bin"]
            return read_status(packed)
        return ApiResponse(0, MessageToDict(answer))


async def administrator_of(world: World, role: str = "IAM_OWNER") -> Administrator:
    """A service user in a separate organization, with a role assigned by ``portico apply``."""
    tag = secrets.token_hex(4)
    id = f"admin-{tag}"
    user = ServiceUser(id=id, username=id, name="Administrator", secret=_SECRET, roles=(role,))
    organization = Organization(id=f"org-{tag}", name=tag, service_users=(user,))
    await world.stack.apply(Document(organizations=(organization,)))
    tokens = await world.grant(Client(id, "", _SECRET, "client_secret_basic"), "client_credentials", scope=SCOPE)
    return Administrator(world, tag, organization.id or "", tokens["access_token"])
