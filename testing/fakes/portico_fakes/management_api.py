"""The management API of a users service in this process, called in each of its wire formats."""

from __future__ import annotations

import base64
import struct
from collections.abc import Mapping
from functools import partial
from ipaddress import ip_network
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx
import msgspec
from fastapi import FastAPI
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest
from google.rpc.status_pb2 import Status
from portico_contracts.authz import (
    END_SESSIONS,
    END_TRUSTED_DEVICE,
    LIST_SESSIONS,
    LIST_TRUSTED_DEVICES,
    EndSessions,
    EndTrustedDevice,
    ListSessions,
    ListTrustedDevices,
    SessionsEnded,
    SessionStates,
    TrustedDeviceEnded,
    TrustedDeviceState,
    TrustedDeviceStates,
)
from portico_contracts.generated.portico.v1.error_pb2 import ErrorDetail
from portico_contracts.keys import (
    KEY_STATES,
    REVOKE_KEY,
    ROTATE_KEYS,
    GetKeyStates,
    KeyState,
    KeyStates,
    RevokeKey,
    RotateKeys,
)
from portico_contracts.management import METHODS
from portico_contracts.token import (
    AUTHENTICATE_BEARER,
    LIST_TOKEN_GRANTS,
    PREVIEW_TOKENS,
    REVOKE_USER,
    REVOKE_USER_CLIENT,
    AppliedClaimRule,
    AuthenticateBearer,
    Bearer,
    BearerFound,
    ListTokenGrants,
    PreviewTokens,
    Revoked,
    RevokeUser,
    RevokeUserClient,
    TokenGrant,
    TokenGrants,
    TokensPreviewed,
)
from portico_contracts.users import ClaimPlace, ClaimSource
from portico_runtime.process.health import Health
from portico_users.assembly.service import Service
from portico_users.management_api.all_operations import OPERATIONS
from portico_users.management_api.transport.caller_addresses import CallerAddresses
from portico_users.management_api.transport.endpoints.public_endpoints import LogoEndpoint
from portico_users.management_api.transport.routes import ManagementRoutes
from portico_users.management_api.zitadel import load_zitadel_methods
from portico_users.scim.api.endpoint import ScimEndpoint
from portico_web.edge import Edge
from portico_web.surfaces import install_catch_all
from portico_web.trusted_proxies import TrustedProxies

from portico_fakes.application_client import ApplicationClient
from portico_fakes.memory_bus import MemoryBus

_BASE = "http://users.test"
ISSUER = "https://issuer.test"
"""The server URL in the OpenAPI document."""
_FRAME = struct.Struct(">BI")
_TRAILERS = 0x80

CODES = {
    "invalid_argument": 3,
    "not_found": 5,
    "already_exists": 6,
    "permission_denied": 7,
    "resource_exhausted": 8,
    "failed_precondition": 9,
    "aborted": 10,
    "unimplemented": 12,
    "internal": 13,
    "unavailable": 14,
    "unauthenticated": 16,
}
"""Connect's names of the codes."""


class ApiResponse(NamedTuple):
    """One response, from any wire format.

    Attributes:
        code: of google.rpc.Code; 0 for success.
        body: the response or the error, as JSON.
    """

    code: int
    body: dict[str, Any]

    @property
    def error_code(self) -> str:
        return str(self.body["details"][0]["id"]) if self.code else ""

    @property
    def fields(self) -> list[str]:
        """Returns the fields that the error concerns."""
        return [one["field"] for detail in self.body["details"][1:] for one in detail["fieldViolations"]]


class ManagementApi:
    """Calls operations; `tokens` maps access tokens to their subjects."""

    def __init__(self, service: Service, bus: MemoryBus) -> None:
        app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
        install_catch_all(app)
        self.health = Health()
        routes = ManagementRoutes(
            app,
            service.dispatch,
            OPERATIONS,
            self.health,
            ISSUER,
            service.find(LogoEndpoint),
            service.find(ScimEndpoint),
            partial(load_zitadel_methods, service.dispatch, ISSUER, service.parts.bind),
        )
        proxies = TrustedProxies((ip_network("127.0.0.1/32"),))
        self.app = Edge(CallerAddresses(routes, proxies), TrustedProxies(()))
        self.http = ApplicationClient(self.app, _BASE)
        self.tokens: dict[str, str] = {}
        self.signed_in: dict[str, tuple[str, int]] = {}
        self.unproven: set[str] = set()
        """Application and time of the sign-in (Unix seconds), by token."""
        self.sessions: dict[str, str] = {}
        """Session of the sign-in, by token."""
        self.began: dict[str, int] = {}
        """When that session began (Unix seconds), by token."""
        bus.respond(AUTHENTICATE_BEARER, self._authenticate)
        self.ended: list[tuple[str, str]] = []
        """Ended grants and sessions by user: ``("grants", id)``, ``("sessions", id)``."""
        self.enders: list[str] = []
        """Who ended the sessions of ``ended``."""
        bus.respond(REVOKE_USER, self._revoke)
        bus.respond(END_SESSIONS, self._end_sessions)
        bus.respond(LIST_SESSIONS, self._list_sessions)
        self.trusted_devices: dict[str, TrustedDeviceState] = {}
        """Devices that every user trusts, by id."""
        bus.respond(LIST_TRUSTED_DEVICES, self._list_trusted_devices)
        bus.respond(END_TRUSTED_DEVICE, self._end_trusted_device)
        self.token_grants: tuple[TokenGrant, ...] = ()
        """Grants that token returns for every user."""
        bus.respond(LIST_TOKEN_GRANTS, self._list_token_grants)
        self.previews: list[PreviewTokens] = []
        bus.respond(PREVIEW_TOKENS, self._preview)
        bus.respond(REVOKE_USER_CLIENT, self._revoke_client)
        self.keys: tuple[KeyState, ...] = ()
        """Keys that the keys service returns."""
        self.key_requests: list[GetKeyStates | RotateKeys | RevokeKey] = []
        bus.respond(KEY_STATES, self._keys)
        bus.respond(ROTATE_KEYS, self._keys)
        bus.respond(REVOKE_KEY, self._keys)

    def token_of(self, user_id: str) -> str:
        token = f"token-of-{len(self.tokens)}"
        self.tokens[token] = user_id
        return token

    async def json(
        self, name: str, members: Any, *, token: str = "", headers: Mapping[str, str] | None = None, path: str = ""
    ) -> ApiResponse:
        """Calls a method as JSON by its path."""
        method = METHODS[name]
        address = path or method.template
        sent = {**_bearer(token), **(headers or {})}
        content = {"json" if method.has_body else "params": members}
        return read_json(await self.http.request(method.verb, address, headers=sent, **content))

    async def connect(self, name: str, message: Message, *, token: str = "") -> ApiResponse:
        """Calls a method by Connect, with binary messages."""
        headers = {**_bearer(token), "Content-Type": "application/proto", "Connect-Protocol-Version": "1"}
        answer = await self.http.post(METHODS[name].path, content=message.SerializeToString(), headers=headers)
        if answer.status_code == 200:
            return ApiResponse(0, MessageToDict(METHODS[name].response.FromString(answer.content)))
        return read_connect(answer)

    async def grpc_web(self, name: str, message: Message, *, token: str = "") -> ApiResponse:
        body = message.SerializeToString()
        headers = {**_bearer(token), "Content-Type": "application/grpc-web+proto"}
        content = _FRAME.pack(0, len(body)) + body
        answer = await self.http.post(METHODS[name].path, content=content, headers=headers)
        return read_grpc_web(name, answer)

    async def _revoke(self, ask: RevokeUser) -> Revoked:
        self.ended.append(("grants", ask.user_id))
        return Revoked(grants=1)

    async def _end_sessions(self, ask: EndSessions) -> SessionsEnded:
        self.ended.append(("sessions", ask.user_id))
        self.enders.append(ask.actor)
        return SessionsEnded(sessions=1)

    async def _list_token_grants(self, _ask: ListTokenGrants) -> TokenGrants:
        return TokenGrants(grants=self.token_grants)

    async def _preview(self, ask: PreviewTokens) -> TokensPreviewed:
        """Fixed values as if everything was granted."""
        self.previews.append(ask)
        fixed = [rule for rule in ask.claim_rules or () if rule.source is ClaimSource.FIXED]
        claims = {rule.claim: rule.value for rule in fixed} | {"sub": ask.user_id}
        rules = tuple(AppliedClaimRule(claim=rule.claim, places=(ClaimPlace.USERINFO,)) for rule in fixed)
        return TokensPreviewed(scope=ask.scope, userinfo=msgspec.json.encode(claims).decode(), rules=rules)

    async def _revoke_client(self, ask: RevokeUserClient) -> Revoked:
        self.ended.append((f"grants to {ask.client_id}", ask.user_id))
        return Revoked(grants=0 if ask.client_id == "no-grants" else 1)

    async def _keys(self, ask: GetKeyStates | RotateKeys | RevokeKey) -> KeyStates:
        self.key_requests.append(ask)
        return KeyStates(keys=self.keys)

    async def _list_trusted_devices(self, _: ListTrustedDevices) -> TrustedDeviceStates:
        return TrustedDeviceStates(devices=tuple(self.trusted_devices.values()))

    async def _end_trusted_device(self, ask: EndTrustedDevice) -> TrustedDeviceEnded:
        self.trusted_devices.pop(ask.device_id, None)
        return TrustedDeviceEnded(ended=ask.device_id != "unknown")

    async def _list_sessions(self, _ask: ListSessions) -> SessionStates:
        return SessionStates(sessions=())

    async def _authenticate(self, ask: AuthenticateBearer) -> BearerFound:
        user_id = self.tokens.get(ask.token)
        if user_id is None:
            return BearerFound()
        client_id, auth_time = self.signed_in.get(ask.token, (user_id, 0))
        bearer = Bearer(
            user_id,
            org_id="",
            client_id=client_id,
            scope=(),
            expires=2_000_000_000,
            auth_time=auth_time,
            acr="",
            session_id=self.sessions.get(ask.token, ""),
            auth_time_proven=ask.token not in self.unproven,
            session_began=self.began.get(ask.token, 0),
        )
        return BearerFound(bearer=bearer)


def message_of(name: str, members: Mapping[str, Any]) -> Message:
    return ParseDict(dict(members), METHODS[name].request())


def in_path(name: str, members: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Returns the path with the members of its template, and the remaining members for the body."""
    path, left = METHODS[name].template, dict(members)
    for field in METHODS[name].request.DESCRIPTOR.fields:
        if f"{{{field.name}}}" in path:
            path = path.replace(f"{{{field.name}}}", quote(left.pop(field.json_name), safe=""))
    return path, left


async def call_as(world: Any, name: str, body: Any = None, *, by: str = "owner", **more: Any) -> ApiResponse:
    """Calls a method as JSON as one of the callers of a world."""
    response: ApiResponse = await world.api.json(name, body, token=world.tokens[by], **more)
    return response


def read_json(answer: httpx.Response) -> ApiResponse:
    body = answer.json()
    return ApiResponse(0 if answer.status_code == 200 else body["code"], body)


def read_connect(answer: httpx.Response) -> ApiResponse:
    """Reads Connect with JSON, or an error of Connect with any message format."""
    body = answer.json()
    if answer.status_code == 200:
        return ApiResponse(0, body)
    details = [_unpacked(detail["type"], base64.b64decode(detail["value"] + "==")) for detail in body["details"]]
    return ApiResponse(CODES[body["code"]], {"message": body["message"], "details": details})


def read_grpc_web(name: str, answer: httpx.Response) -> ApiResponse:
    """Reads gRPC-web frames; the last one contains the trailers."""
    message, trailers = b"", {key: value for key, value in answer.headers.items() if key.startswith("grpc-")}
    rest = answer.content
    while rest:
        flags, length = _FRAME.unpack_from(rest)
        data, rest = rest[_FRAME.size : _FRAME.size + length], rest[_FRAME.size + length :]
        if flags & _TRAILERS:
            trailers |= dict(line.split(": ", 1) for line in data.decode().splitlines())
        else:
            message = data
    code = int(trailers["grpc-status"])
    if code == 0:
        return ApiResponse(0, MessageToDict(METHODS[name].response.FromString(message)))
    packed = trailers["grpc-status-details-bin"]
    return read_status(base64.b64decode(packed + "=" * (-len(packed) % 4)))


def read_status(packed: bytes) -> ApiResponse:
    status = Status.FromString(packed)
    details = [_unpacked(detail.TypeName(), detail.value) for detail in status.details]
    return ApiResponse(status.code, {"message": status.message, "details": details})


def _unpacked(name: str, value: bytes) -> dict[str, Any]:
    kinds: dict[str, type[Message]] = {"portico.v1.ErrorDetail": ErrorDetail, "google.rpc.BadRequest": BadRequest}
    members = MessageToDict(kinds[name].FromString(value))
    return {"@type": f"type.googleapis.com/{name}", **members}


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}
