"""The composition root: the real servers, the work in the background, the health checks."""

from __future__ import annotations

import secrets

from fastapi import FastAPI
from portico_runtime.background import Background
from portico_runtime.bus import NatsBus
from portico_runtime.clock import SystemClock
from portico_runtime.clock_guard import ClockGuard
from portico_runtime.health import Health
from portico_runtime.mongo import MongoClient
from portico_runtime.service import Part, lifespan
from portico_web.edge import Edge
from portico_web.surfaces import install_catch_all
from starlette.types import ASGIApp

from portico_users.api.operations.all_operations import OPERATIONS
from portico_users.api.transport.routes import ManagementRoutes
from portico_users.notifications.email.transport import SmtpTransport
from portico_users.settings import Settings
from portico_users.wiring.service import Parts, Service


def create_app(settings: Settings, *, parts: Parts | None = None) -> tuple[ASGIApp, Health]:
    """The HTTP application, the answers on the bus, and the health checks.

    Args:
        parts: what it is made of; without them the real servers of the settings.
    """
    health = Health()
    parts = parts or _real_parts(settings, health)
    service = Service(settings, parts)
    service.messages.answer_on(parts.bus)
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, lifespan=lifespan(_running(service, parts)))
    install_catch_all(app)
    health.add("mongo", parts.mongo.check)
    health.add("bus", parts.bus.check)
    health.add_degradation("stream", parts.bus.degradation)
    health.add("indexes", service.schema.check)
    return Edge(ManagementRoutes(app, service.management, OPERATIONS, health, settings.issuer)), health


def _running(service: Service, parts: Parts) -> list[Part]:
    """What lives as long as the service, in the order it is started."""
    running: list[Part] = [parts.mongo, service.pool, Background("indexes", service.schema.create), parts.bus]
    running += [Background("proofs", service.proofs.carry)]
    running += [service.relay, Background("outbox", service.relay.carry)]
    running += [Background("outbox measured", service.backlog.watch)]
    running += [Background("older passwords", service.count_older_passwords)]
    running += [service.outbound, Background("revocations", service.revocations.carry)]
    running += [Background("webhooks heard", service.event_consumer.carry)]
    running += [service.sender, Background("webhooks told", service.sender.carry)]
    running += [service.messages.links]
    # A mail server that does not answer makes nobody wait but the mails, so it is no matter of readiness.
    if service.email_dispatcher:
        running += [service.email_dispatcher, Background("mails", service.email_dispatcher.carry)]
    return running


def _real_parts(settings: Settings, health: Health) -> Parts:
    mongo, clock = MongoClient(settings, "users"), SystemClock()
    health.add("clock", ClockGuard(clock, "mongo", mongo.time).check)
    return Parts(
        mongo=mongo,
        bus=NatsBus.of(settings, "users"),
        clock=clock,
        random=secrets.token_bytes,
        transport=SmtpTransport(settings) if settings.smtp_host else None,
    )
