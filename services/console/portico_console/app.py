from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from portico_contracts.users import Branding
from portico_oauth.master_keys import MasterKeys
from portico_oauth.opaque import RandomBytes
from portico_runtime.http_client.service_client import Http, ServiceClient
from portico_runtime.process.clock import Clock, SystemClock
from portico_runtime.process.health import UNUSED_SECONDS, Check, Health
from portico_runtime.redis.client import RedisClient
from portico_runtime.redis.nodes.history import History
from portico_runtime.service import Component, lifespan
from portico_web.application import create_application
from portico_web.direct_routes import DirectRoutes
from portico_web.edge import Edge
from portico_web.languages import ENGLISH
from portico_web.surfaces import install_catch_all
from portico_web.trusted_proxies import TrustedProxies
from starlette.types import ASGIApp

from portico_console.management.api import ManagementApi, check_users
from portico_console.management.branding import find_branding
from portico_console.pages import Pages
from portico_console.routes import account_routes, console_routes, static_routes
from portico_console.sessions.session import Sessions
from portico_console.sessions.store import RedisSessions
from portico_console.settings import Settings
from portico_console.sign_in.assertion import read_client_key
from portico_console.sign_in.flow import SignIn
from portico_console.sign_in.pending import PendingCookies
from portico_console.sign_in.provider import Provider
from portico_console.sign_in.relying_party import RelyingParty, account_party, console_party


@dataclass(frozen=True)
class Parts:
    token: Http
    keys: Http
    users: Http
    sessions: Sessions
    clock: Clock
    random: RandomBytes
    running: tuple[Component, ...] = ()
    checks: Mapping[str, Check] = field(default_factory=dict)


def create(settings: Settings) -> tuple[ASGIApp, Health]:
    return create_app(settings, build_parts(settings))


def build_parts(settings: Settings) -> Parts:
    # Watermarks of earlier processes are not loaded: the console does not use the bus.
    redis, clock = RedisClient(settings, "console", History("console", recalled=True)), SystemClock()
    keys = MasterKeys.read(settings.master_keys.get_secret_value())
    sessions = RedisSessions(redis, keys, clock, secrets.token_bytes, idle_seconds=settings.console_idle_seconds)
    return Parts(
        ServiceClient(settings.token_url),
        ServiceClient(settings.keys_url),
        ServiceClient(settings.users_url),
        sessions,
        clock,
        secrets.token_bytes,
        running=(redis,),
        checks={"redis": redis.check},
    )


def create_app(settings: Settings, parts: Parts) -> tuple[ASGIApp, Health]:
    keys = MasterKeys.read(settings.master_keys.get_secret_value())
    client_key = read_client_key(settings.console_client_key.get_secret_value())
    provider = Provider(parts.token, parts.keys, client_key, settings.issuer, parts.clock, parts.random)

    async def branding(access_token: str) -> Branding:
        return await find_branding(ManagementApi(parts.users, access_token, ENGLISH.tag))

    proxies = TrustedProxies(settings.proxy_networks, settings.forwarding_networks)

    def pages(party: RelyingParty, *, branded: bool) -> Pages:
        pending = PendingCookies(party.name, keys, parts.random, secure=party.origin.startswith("https://"))
        sign_in = SignIn(
            party, settings.issuer, provider, parts.sessions, pending, parts.clock, parts.random,
            session_seconds=settings.console_session_seconds, find_branding=branding if branded else None,
        )  # fmt: skip
        steps_up = settings.step_up != "off"
        return Pages(
            sign_in, parts.users, parts.sessions, settings.issuer, parts.clock, parts.random,
            proxies=proxies, steps_up=steps_up,
        )  # fmt: skip

    app = create_application(lifespan([*parts.running, parts.users, provider]))
    app.router.routes += [
        *static_routes(),
        *console_routes(pages(console_party(settings.console_url or settings.issuer), branded=False)),
        *account_routes(pages(account_party(settings.issuer), branded=True)),
    ]
    install_catch_all(app)
    health = Health()
    for name, check in parts.checks.items():
        health.add(name, check)
    health.add("keys", provider.check)
    health.add("users", lambda: check_users(parts.users), remembered=UNUSED_SECONDS)
    return Edge(DirectRoutes(app), proxies), health
