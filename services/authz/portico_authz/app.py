from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from portico_oauth.opaque import RandomBytes
from portico_runtime.bus.bus import Bus
from portico_runtime.bus.nats_bus import NatsBus
from portico_runtime.diagnostics.recorder import DiagnosticsRecorder
from portico_runtime.http_client.outbound import Outbound
from portico_runtime.process.background import Background
from portico_runtime.process.clock import Clock, SystemClock
from portico_runtime.process.clock_guard import ClockGuard
from portico_runtime.process.health import Check, Health
from portico_runtime.process.wakeup import Wakeup
from portico_runtime.redis.client import RedisClient
from portico_runtime.redis.memory import RedisMemory
from portico_runtime.redis.nodes.history import History
from portico_runtime.redis.remembered_history import RememberedHistory
from portico_runtime.service import Component, lifespan
from portico_runtime.settings.sections.passkey import origins_in
from portico_runtime.versioned_cache.memory import RedisVersionReader, VersionedCache
from portico_web.application import create_application
from portico_web.cookies import BrowserCookie
from portico_web.direct_routes import DirectRoutes
from portico_web.edge import Edge
from portico_web.surfaces import install_catch_all
from portico_web.trusted_proxies import TrustedProxies
from starlette.routing import Route
from starlette.types import ASGIApp

from portico_authz.checked_request import CheckSources
from portico_authz.countries import CountryDatabase
from portico_authz.dependencies import Dependencies
from portico_authz.discovery import Certificates, Discovery
from portico_authz.domain.ports import Posts, Stores
from portico_authz.domain.session import Lifetimes
from portico_authz.event_publisher import EventPublisher
from portico_authz.login.steps import REQUIREMENTS
from portico_authz.login_api import login_routes
from portico_authz.logout.back_channel import BackChannel
from portico_authz.logout.own_clients import OwnClients
from portico_authz.routes import authorize_routes, discovery_routes, logout_routes
from portico_authz.rpc_handlers import register_rpc_handlers
from portico_authz.settings import AuthzSettings
from portico_authz.store import redis_stores
from portico_authz.users_client import UsersClient


@dataclass(frozen=True, slots=True)
class Parts:
    """`running` start before the bus and stop after it; `on_bus` start after it and stop before it."""

    bus: Bus
    stores: Stores
    clock: Clock
    random: RandomBytes
    posts: Posts
    running: tuple[Component, ...] = ()
    on_bus: tuple[Component, ...] = ()
    checks: Mapping[str, Check] = field(default_factory=dict)
    memory: VersionedCache | None = None


@dataclass(frozen=True, slots=True)
class Assembly:
    app: ASGIApp
    routes: tuple[Route, ...]
    back_channel: BackChannel
    publisher: EventPublisher
    traces: DiagnosticsRecorder


def create(settings: AuthzSettings) -> tuple[ASGIApp, Health]:
    parts = build_parts(settings)
    health = Health()
    parts.bus.watch(health)
    for name, check in parts.checks.items():
        health.add(name, check)
    return create_app(settings, parts=parts), health


def create_app(settings: AuthzSettings, *, parts: Parts | None = None) -> ASGIApp:
    return assemble(settings, parts or build_parts(settings)).app


def assemble(settings: AuthzSettings, parts: Parts) -> Assembly:
    memory = parts.memory or VersionedCache(None, parts.clock, most=settings.people_in_memory)
    users_client = UsersClient(parts.bus, parts.clock, memory)
    deps = _dependencies(settings, parts, users_client)
    back_channel = BackChannel(deps, parts.posts)
    register_rpc_handlers(parts.bus, deps)
    routes = [
        *discovery_routes(_discovery(settings, users_client), users_client),
        *authorize_routes(deps),
        *logout_routes(deps),
        *login_routes(deps, settings.login_api_key.get_secret_value()),
    ]
    app = create_application(
        lifespan(
            [
                *parts.running,
                parts.bus,
                *parts.on_bus,
                *users_client.upkeep(),
                deps.publisher,
                Background("back-channel-logout", back_channel.work),
                Background("trace-recorder", deps.traces.run_once),
            ]
        ),
        routes,
    )
    install_catch_all(app)
    edge = Edge(DirectRoutes(app), deps.proxies)
    return Assembly(edge, tuple(routes), back_channel, deps.publisher, deps.traces)


def build_parts(settings: AuthzSettings) -> Parts:
    history = History("authz")
    redis, bus = RedisClient(settings, "authz", history), NatsBus.of(settings, "authz")
    outbound = Outbound(settings)
    own = settings.console_service_url
    posts = OwnClients(settings.issuer, own, outbound) if own else outbound
    clock = ClockGuard(SystemClock(), "redis", redis.time)
    remembered = RememberedHistory(history, bus, clock)
    memory = VersionedCache(RedisVersionReader(redis), clock, most=settings.people_in_memory)
    redis.when_lost(memory.lease.end)
    return Parts(
        bus=bus,
        stores=redis_stores(redis),
        clock=clock,
        random=secrets.token_bytes,
        posts=posts,
        running=(
            redis,
            outbound,
            *([posts] if isinstance(posts, OwnClients) else []),
            Background("redis-memory-metrics", RedisMemory(redis).watch),
        ),
        on_bus=(remembered,),
        checks={"redis": redis.check, "clock": clock.check, "history": remembered.check},
        memory=memory,
    )


def _discovery(settings: AuthzSettings, users_client: UsersClient) -> Discovery:
    return Discovery(
        settings.issuer,
        users_client,
        pushed_requests=settings.pushed_authorization_requests,
        certificates=Certificates.configured(settings.mtls_url, settings.mtls_ca_file),
    )


def _dependencies(settings: AuthzSettings, parts: Parts, users_client: UsersClient) -> Dependencies:
    return Dependencies(
        issuer=settings.issuer,
        stores=parts.stores,
        sources=CheckSources(
            settings.issuer, users_client, parts.stores.pushed_requests, zitadel_names=settings.zitadel_names
        ),
        users_client=users_client,
        bus=parts.bus,
        clock=parts.clock,
        random=parts.random,
        lifetimes=Lifetimes(
            code=settings.code_seconds,
            auth_request=settings.auth_request_seconds,
            session_idle=settings.session_idle_seconds,
            session=settings.session_seconds,
            second_factor=settings.second_factor_seconds,
        ),
        cookie=BrowserCookie(settings.issuer),
        publisher=EventPublisher(parts.bus, parts.clock, parts.random),
        traces=DiagnosticsRecorder.over(parts.bus, parts.clock),
        back_channel_wakeup=Wakeup(),
        proxies=TrustedProxies(settings.proxy_networks, settings.forwarding_networks),
        countries=CountryDatabase(settings.geo_database) if settings.geo_database else None,
        confirm_logout=settings.logout_confirm == "always",
        own_login_url=settings.own_login_url,
        passkey_hosts=frozenset(urlsplit(one).hostname or "" for one in origins_in(settings.passkey_origins)),
        pushed_requests=settings.pushed_authorization_requests,
        requirements=REQUIREMENTS,
    )
