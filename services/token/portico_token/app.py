"""The composition root: builds the parts, wires them, mounts routes and messages."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from fastapi import FastAPI
from portico_oauth.opaque import RandomBytes
from portico_runtime.background import Background
from portico_runtime.bus import Bus, NatsBus
from portico_runtime.clock import Clock, SystemClock
from portico_runtime.health import Health
from portico_runtime.redis_client import RedisClient
from portico_runtime.service import Part, lifespan
from portico_web.edge import Edge
from portico_web.surfaces import install_catch_all
from starlette.types import ASGIApp

from portico_token.active_tokens import ActiveTokens
from portico_token.client_auth.authentication import ClientAuthentication
from portico_token.directory import Directory
from portico_token.domain.grants import GrantStore
from portico_token.grants.protocol import GrantNeeds
from portico_token.issuing.access_tokens import AccessTokens
from portico_token.issuing.id_tokens import IdTokens
from portico_token.issuing.issuer import Issuer
from portico_token.messages import Messages
from portico_token.routes import routes
from portico_token.settings import Settings
from portico_token.signing.key_ring import KeyRing
from portico_token.signing.signer import Signer
from portico_token.store.redis_grants import RedisGrants
from portico_token.token_endpoint import TokenEndpoint
from portico_token.userinfo import Userinfo


@dataclass(frozen=True, slots=True)
class Parts:
    """What the service is built on; tests pass their own.

    Args:
        grants: where grants live.
        monotonic: seconds that never jump.
        living: parts to start and close beside the bus, in order.
    """

    bus: Bus
    clock: Clock
    random: RandomBytes
    grants: GrantStore
    monotonic: Callable[[], float] = time.monotonic
    living: tuple[Part, ...] = ()


def production_parts(settings: Settings, health: Health) -> Parts:
    """The real parts."""
    clock = SystemClock()
    redis = RedisClient(settings, "token")
    health.add("redis", redis.check)
    bus = NatsBus(settings.bus_url, "token", settings.bus_password.get_secret_value())
    return Parts(bus, clock, secrets.token_bytes, RedisGrants(redis, clock), living=(redis,))


def create_app(settings: Settings, *, parts: Parts | None = None) -> tuple[ASGIApp, Health]:
    """The service as an ASGI application, and its health checks."""
    health = Health()
    parts = parts or production_parts(settings, health)
    ring = KeyRing(parts.bus, parts.clock, parts.monotonic)
    directory = Directory(parts.bus, parts.clock)
    ring.listen()
    directory.listen()
    Messages(parts.grants).answer_on(parts.bus)
    health.add("bus", parts.bus.check)
    health.add("keys", ring.check)
    living = (*parts.living, parts.bus, Background("signing keys", ring.keep))
    # redirect_slashes would answer a form with 307, and send its secrets again (AZ-16).
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False, lifespan=lifespan(living))
    app.router.routes += routes(
        _token_endpoint(settings, parts, ring, directory),
        Userinfo(ActiveTokens(parts.grants, directory, ring, parts.clock)),
    )
    install_catch_all(app)
    return Edge(app), health


def _token_endpoint(settings: Settings, parts: Parts, ring: KeyRing, directory: Directory) -> TokenEndpoint:
    signer = Signer(ring)
    issuer = Issuer(
        AccessTokens(settings.issuer, signer, parts.random, settings.access_token_seconds),
        IdTokens(settings.issuer, signer, settings.id_token_seconds),
        parts.grants,
        directory,
        parts.clock,
    )
    needs = GrantNeeds(parts.bus, parts.grants, parts.clock)
    return TokenEndpoint(ClientAuthentication(directory), needs, issuer, signer)
