"""The six services on loopback sockets without a gateway; their peers and stores are in memory."""

from __future__ import annotations

import asyncio
import base64
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from portico_console.app import Parts as ConsoleParts
from portico_console.app import create_app as create_console
from portico_console.settings import Settings as ConsoleSettings
from portico_contracts.token import AUTHENTICATE_BEARER, AuthenticateBearer, BearerFound
from portico_login_ui.app import create_app as create_login_ui
from portico_login_ui.settings import Settings as LoginUiSettings
from portico_runtime.http_server.bounded_http import BoundedHttp
from portico_runtime.http_server.draining_server import DrainingServer
from portico_runtime.mongo.client import MongoClient
from portico_token.app import Parts as TokenParts
from portico_token.settings import Settings as TokenSettings
from portico_users.app import create_app as create_users
from portico_users.assembly.externals import Externals
from portico_users.settings import Settings as UsersSettings
from starlette.types import ASGIApp
from uvicorn import Config

from portico_fakes.authz_service import AuthzService
from portico_fakes.clock import FrozenClock
from portico_fakes.fake_login_api import KEY, FakeLoginApi
from portico_fakes.keys_service import KeysService, MemoryKeys
from portico_fakes.memory_assertions import MemoryAssertions
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_console_sessions import MemoryConsoleSessions
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.memory_revocations import MemoryRevocations
from portico_fakes.memory_versions import MemoryVersions
from portico_fakes.over_httpx import OverHttpx
from portico_fakes.randomness import seeded_bytes
from portico_fakes.token_peers import FakeAuthz, FakeKeys, FakeUsers
from portico_fakes.token_service import Peers, TokenService

ISSUER: Final = "https://id.example.test"

Ports = Mapping[str, int]


@asynccontextmanager
async def services_on_sockets(clock: FrozenClock, **settings: Any) -> AsyncIterator[Ports]:
    values = {"issuer": ISSUER, **settings}
    apps = {
        "authz": AuthzService(clock, MemoryBus(), **values).app,
        "token": _token(clock, values),
        "keys": await _keys(clock, values),
        "users": _users(clock, values),
        "login-ui": _login_ui(values),
        "console": _console(clock, values),
    }
    served = {name: await _serve(app) for name, app in apps.items()}
    try:
        yield {name: listener.getsockname()[1] for name, (_, listener) in served.items()}
    finally:
        # At the same time: each waits a tenth of a second for its connections.
        await asyncio.gather(*(server.shutdown([listener]) for server, listener in served.values()))


async def _serve(app: ASGIApp) -> tuple[DrainingServer, socket.socket]:
    config = Config(
        app,
        interface="asgi3",
        host="127.0.0.1",
        port=0,
        http=BoundedHttp,
        lifespan="off",
        log_config=None,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    config.load()
    listener = config.bind_socket()
    server = DrainingServer(config)
    server.lifespan = config.lifespan_class(config)
    await server.startup([listener])
    return server, listener


def _token(clock: FrozenClock, values: dict[str, Any]) -> ASGIApp:
    bus, grants = MemoryBus(), MemoryGrants()
    peers = Peers(FakeUsers(bus), FakeAuthz(bus), FakeKeys(bus, ()))
    stores = grants, MemoryRevocations(grants, clock), MemoryAssertions(clock)
    parts = TokenParts(bus, clock, seeded_bytes(5), *stores, monotonic=clock.now)
    return TokenService(peers, bus, clock, TokenSettings.model_validate(values), parts).app


async def _keys(clock: FrozenClock, values: dict[str, Any]) -> ASGIApp:
    service = KeysService(clock, MemoryBus(), MemoryKeys(), **values)
    await service.look_after_keys()
    return service.app


def _users(clock: FrozenClock, values: dict[str, Any]) -> ASGIApp:
    """Users with an unreachable database: no test request has a token, and earlier checks need no database."""
    settings, bus = UsersSettings.model_validate(values), MemoryBus()
    externals = Externals(MongoClient(settings, "users"), bus, clock, seeded_bytes(9), MemoryVersions(clock))
    bus.respond(AUTHENTICATE_BEARER, _find_no_bearer)
    return create_users(settings, externals=externals)[0]


async def _find_no_bearer(_ask: AuthenticateBearer) -> BearerFound:
    return BearerFound()


def _login_ui(values: dict[str, Any]) -> ASGIApp:
    http = OverHttpx(httpx.ASGITransport(FakeLoginApi().app))
    return create_login_ui(LoginUiSettings.model_validate({**values, "login_api_key": KEY}), http=http)[0]


def _console(clock: FrozenClock, values: dict[str, Any]) -> ASGIApp:
    """Console with unreachable services: no test browser has a session."""
    silent = OverHttpx(httpx.MockTransport(lambda _request: httpx.Response(503)))
    random = seeded_bytes(11)
    parts = ConsoleParts(silent, silent, silent, MemoryConsoleSessions(clock, random), clock, random)
    key = ec.generate_private_key(ec.SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    secrets = {"master_keys": base64.b64encode(random(32)).decode(), "console_client_key": key.decode()}
    return create_console(ConsoleSettings.model_validate({**values, **secrets}), parts)[0]
