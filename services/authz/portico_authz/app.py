"""The composition root: builds stores and bus, wires routes and messages."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from fastapi import FastAPI
from portico_oauth.opaque import RandomBytes
from portico_runtime.bus import Bus, NatsBus
from portico_runtime.clock import Clock, SystemClock
from portico_runtime.health import Check, Health
from portico_runtime.redis_client import RedisClient
from portico_runtime.service import Part, lifespan
from portico_web.cookies import BrowserCookie
from portico_web.direct_routes import DirectRoutes
from portico_web.edge import Edge
from portico_web.surfaces import install_catch_all
from starlette.types import ASGIApp

from portico_authz.desk import Desk
from portico_authz.directory import BusDirectory
from portico_authz.domain.ports import Stores
from portico_authz.domain.session import Lifetimes
from portico_authz.messages import answer_questions
from portico_authz.routes import authorize_routes, discovery_routes, login_routes
from portico_authz.settings import AuthzSettings
from portico_authz.store import redis_stores


@dataclass(frozen=True, slots=True)
class Parts:
    """What the service is made of; tests pass their own.

    Attributes:
        running: what is started and closed with the service, beside the bus.
        checks: what readiness asks, by name, beside the bus.
    """

    bus: Bus
    stores: Stores
    clock: Clock
    random: RandomBytes
    running: tuple[Part, ...] = ()
    checks: Mapping[str, Check] = field(default_factory=dict)


def create(settings: AuthzSettings) -> tuple[ASGIApp, Health]:
    """The service with its real parts, and what readiness asks."""
    parts = build_parts(settings)
    health = Health()
    health.add("bus", parts.bus.check)
    for name, check in parts.checks.items():
        health.add(name, check)
    return create_app(settings, parts=parts), health


def create_app(settings: AuthzSettings, *, parts: Parts | None = None) -> ASGIApp:
    """The HTTP application; its lifespan starts and closes the parts."""
    parts = parts or build_parts(settings)
    desk = _desk(settings, parts)
    answer_questions(parts.bus, desk)
    routes = [
        *discovery_routes(settings.issuer),
        *authorize_routes(desk),
        *login_routes(desk, settings.login_api_key.get_secret_value()),
    ]
    app = FastAPI(
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        routes=list(routes),
        lifespan=lifespan([*parts.running, parts.bus]),
    )
    install_catch_all(app)
    return Edge(DirectRoutes(app))


def build_parts(settings: AuthzSettings) -> Parts:
    """The real parts; nothing is connected yet."""
    redis = RedisClient(settings, "authz")
    return Parts(
        bus=NatsBus(settings.bus_url, "authz", settings.bus_password.get_secret_value()),
        stores=redis_stores(redis),
        clock=SystemClock(),
        random=secrets.token_bytes,
        running=(redis,),
        checks={"redis": redis.check},
    )


def _desk(settings: AuthzSettings, parts: Parts) -> Desk:
    return Desk(
        issuer=settings.issuer,
        stores=parts.stores,
        directory=BusDirectory(parts.bus, parts.clock),
        bus=parts.bus,
        clock=parts.clock,
        random=parts.random,
        lifetimes=Lifetimes(
            code=settings.code_seconds,
            auth_request=settings.auth_request_seconds,
            session_idle=settings.session_idle_seconds,
            session=settings.session_seconds,
        ),
        cookie=BrowserCookie(settings.issuer),
    )
