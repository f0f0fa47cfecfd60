from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from portico_contracts.users import LONGEST_CLOCK_SKEW
from portico_oauth.master_keys import MasterKeys
from portico_oauth.opaque import RandomBytes
from portico_runtime.bus.bus import Bus
from portico_runtime.bus.nats_bus import NatsBus
from portico_runtime.mongo.client import MongoClient
from portico_runtime.mongo.migrations import Migrations
from portico_runtime.mongo.schema_version import SchemaVersion, StoredSchema
from portico_runtime.process.background import Background
from portico_runtime.process.clock import Clock, SystemClock
from portico_runtime.process.clock_guard import ClockGuard
from portico_runtime.process.health import Health
from portico_runtime.service import Component, lifespan
from portico_web.application import create_application
from portico_web.direct_routes import DirectRoutes
from portico_web.edge import Edge
from portico_web.surfaces import install_catch_all
from portico_web.trusted_proxies import TrustedProxies
from starlette.types import ASGIApp

from portico_keys.domain.key_store import KeyStore
from portico_keys.domain.lifecycle import LEASE_SECONDS, Policy
from portico_keys.key_ring import KeyRing
from portico_keys.messages import Messages, OperatorMessages
from portico_keys.migrations import migrations_of
from portico_keys.mongo_keys import MongoKeys
from portico_keys.rate_limit import RateLimit
from portico_keys.registered_origins import RegisteredOrigins
from portico_keys.rotation.key_generator import KeyGenerator
from portico_keys.rotation.key_rotation import KeyRotation
from portico_keys.rotation.on_demand import OnDemandRotation
from portico_keys.routes import KeySetEndpoint, routes
from portico_keys.settings import Settings
from portico_keys.signing.key_distribution import KeyDistribution
from portico_keys.signing.rewrap import Rewrap

CLOCK_LEEWAY = 60.0
"""Maximum difference in seconds between any two clocks: of two replicas, and of a replica and a relying party."""


SCHEMA_VERSION: Final = SchemaVersion(writes=1, reads=1, read_by=1)
"""Schema version of the keys in this release. An additive change raises `writes`; a breaking one takes two
releases (decision 0073).
"""


@dataclass(frozen=True, slots=True)
class Parts:
    """`form` is the schema version; `connections` are started before the bus and closed after it."""

    store: KeyStore
    bus: Bus
    clock: Clock
    random: RandomBytes
    ring: KeyRing = field(default_factory=KeyRing)
    health: Health = field(default_factory=Health)
    form: StoredSchema | None = None
    connections: Sequence[Component] = ()


def create(settings: Settings) -> tuple[ASGIApp, Health]:
    mongo = MongoClient(settings, "keys")
    bus = NatsBus.of(settings, "keys")
    form = StoredSchema(mongo.database, "keys", SCHEMA_VERSION)
    store, clock = MongoKeys(mongo.database), SystemClock()
    parts = Parts(store, bus, clock, secrets.token_bytes, form=form, connections=(mongo, form))
    parts.health.add("mongo", mongo.check)
    parts.health.add("form", form.check)
    # The key set is published whatever the time, and a rotation that is early or late does no harm (`CLOCK_LEEWAY`).
    parts.health.add("clock", ClockGuard(parts.clock, "mongo", mongo.time).check)
    return create_app(settings, parts=parts), parts.health


def create_app(settings: Settings, *, parts: Parts) -> ASGIApp:
    rotation = key_rotation_of(settings, parts)
    messages = _answer(settings, parts, rotation)
    parts.bus.watch(parts.health)
    parts.health.add("keys", messages.check)
    living = [*parts.connections, parts.bus, Background("key-rotation", rotation.run)]
    app = create_application(lifespan(living))
    limit = RateLimit(parts.clock, settings.keys_requests_per_minute)
    proxies = TrustedProxies(settings.proxy_networks, settings.forwarding_networks)
    origins = RegisteredOrigins(parts.bus, parts.clock)
    app.router.routes += routes(KeySetEndpoint(parts.ring, limit, proxies), origins.has)
    install_catch_all(app)
    return Edge(DirectRoutes(app), proxies)


def key_rotation_of(settings: Settings, parts: Parts) -> KeyRotation:
    longest_token = max(settings.access_token_seconds, settings.id_token_seconds + LONGEST_CLOCK_SKEW)
    return KeyRotation(
        algorithms=settings.algorithms,
        policy=Policy(
            wait=settings.signing_wait_seconds,
            signing=settings.signing_seconds,
            retention=longest_token + LEASE_SECONDS + 2 * CLOCK_LEEWAY,
        ),
        store=parts.store,
        generator=KeyGenerator(_master_keys(settings), parts.clock, parts.random, settings.signing_rsa_bits),
        ring=parts.ring,
        bus=parts.bus,
        clock=parts.clock,
    )


def _answer(settings: Settings, parts: Parts, rotation: KeyRotation) -> Messages:
    master_keys = _master_keys(settings)
    key_distribution = KeyDistribution(master_keys, parts.random)
    messages = Messages(
        parts.store,
        parts.ring,
        key_distribution,
        parts.clock,
        revoked_seconds=rotation.policy.retention,
        expired_seconds=settings.session_seconds,
        wake_rotation=rotation.wakeup.set,
    )
    messages.answer_on(parts.bus)
    on_demand = OnDemandRotation(rotation, settings.signing_now_wait_seconds)
    rewrap = Rewrap(parts.store, master_keys, parts.random)
    migrations = Migrations(parts.form, migrations_of(rewrap))
    OperatorMessages(parts.store, on_demand, rewrap, migrations).answer_on(parts.bus)
    return messages


def _master_keys(settings: Settings) -> MasterKeys:
    return MasterKeys.read(settings.master_keys.get_secret_value())
