"""The composition root: stores, bus, clock and the parts made of them. Nothing else wires anything."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

from fastapi import FastAPI
from portico_oauth.master_keys import MasterKeys
from portico_oauth.opaque import RandomBytes
from portico_runtime.background import Background
from portico_runtime.bus import Bus, NatsBus
from portico_runtime.clock import Clock, SystemClock
from portico_runtime.health import Health
from portico_runtime.mongo import MongoClient
from portico_runtime.service import Part, lifespan
from portico_web.edge import Edge
from portico_web.surfaces import install_catch_all

from portico_keys.domain.key_store import KeyStore
from portico_keys.domain.life import LEASE_SECONDS, Policy
from portico_keys.key_ring import KeyRing
from portico_keys.messages import Messages
from portico_keys.rate_limit import RateLimit
from portico_keys.rotation.making import KeyMaker
from portico_keys.rotation.tending import Tending
from portico_keys.routes import KeySetEndpoint, routes
from portico_keys.settings import Settings
from portico_keys.signing.hand_out import HandOut
from portico_keys.store.mongo_keys import MongoKeys

CLOCK_LEEWAY = 60.0
"""Seconds a relying party's clock may be behind when it checks the last token of a retired key."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What keys is made of; tests pass their own.

    Args:
        connections: started before the bus and closed after it.
    """

    store: KeyStore
    bus: Bus
    clock: Clock
    random: RandomBytes
    ring: KeyRing = field(default_factory=KeyRing)
    health: Health = field(default_factory=Health)
    connections: Sequence[Part] = ()


def create(settings: Settings) -> tuple[FastAPI, Health]:
    """The service over the real servers, and its readiness."""
    mongo = MongoClient(settings, "keys")
    bus = NatsBus(settings.bus_url, "keys", settings.bus_password.get_secret_value())
    parts = Parts(MongoKeys(mongo.database), bus, SystemClock(), secrets.token_bytes, connections=(mongo,))
    parts.health.add("mongo", mongo.check)
    return create_app(settings, parts=parts), parts.health


def create_app(settings: Settings, *, parts: Parts) -> FastAPI:
    """The HTTP application, the answers on the bus, and the tending beside them."""
    messages = Messages(parts.store, parts.ring, HandOut(_master_keys(settings), parts.random))
    messages.answer_on(parts.bus)
    parts.health.add("bus", parts.bus.check)
    parts.health.add("keys", messages.check)
    tending = Background("tending", tending_of(settings, parts).run)
    living = [*parts.connections, parts.bus, tending]
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, lifespan=lifespan(living))
    limit = RateLimit(parts.clock, settings.keys_requests_per_minute)
    app.router.routes += routes(KeySetEndpoint(parts.ring, limit))
    install_catch_all(app)
    app.add_middleware(Edge)
    return app


def tending_of(settings: Settings, parts: Parts) -> Tending:
    """What looks after the keys in the background."""
    longest_token = max(settings.access_token_seconds, settings.id_token_seconds)
    return Tending(
        algorithms=settings.algorithms,
        policy=Policy(
            wait=settings.signing_wait_seconds,
            signs=settings.signing_seconds,
            keep=longest_token + LEASE_SECONDS + CLOCK_LEEWAY,
        ),
        store=parts.store,
        maker=KeyMaker(_master_keys(settings), parts.clock, parts.random, settings.signing_rsa_bits),
        ring=parts.ring,
        bus=parts.bus,
        clock=parts.clock,
    )


def _master_keys(settings: Settings) -> MasterKeys:
    return MasterKeys.read(settings.master_keys.get_secret_value())
