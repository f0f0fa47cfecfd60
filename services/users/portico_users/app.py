from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from functools import partial

from portico_oauth.master_keys import MasterKeys
from portico_runtime.bus.nats_bus import NatsBus
from portico_runtime.diagnostics.recorder import DiagnosticsRecorder
from portico_runtime.http_client.outbound import Outbound
from portico_runtime.mongo.client import MongoClient
from portico_runtime.mongo.schema_version import StoredSchema
from portico_runtime.mongo.sealed_secrets import SecretsCheck
from portico_runtime.process.background import Background
from portico_runtime.process.clock import SystemClock
from portico_runtime.process.clock_guard import ClockGuard
from portico_runtime.process.health import Health
from portico_runtime.process.memory.free_memory import return_free_memory_periodically
from portico_runtime.redis.client import RedisClient
from portico_runtime.service import Component, lifespan
from portico_runtime.versioned_cache.lease import Lease
from portico_runtime.versioned_cache.memory import RedisVersionReader
from portico_runtime.versioned_cache.versions import RedisVersions
from portico_web.application import create_application
from portico_web.edge import Edge
from portico_web.surfaces import install_catch_all
from portico_web.trusted_proxies import TrustedProxies
from starlette.types import ASGIApp

from portico_users.accounts.word_index import WordIndex
from portico_users.after_response import AfterResponse
from portico_users.assembly.externals import Externals
from portico_users.assembly.service import Service
from portico_users.audit.sign_ins.sign_in_log import SignInLog
from portico_users.credentials.passwords.hash_counts import HashCounts
from portico_users.credentials.passwords.hashing import HashingPool
from portico_users.credentials.revocations import Revocations
from portico_users.diagnostics.store import DiagnosticStore
from portico_users.end_users.proof_migration import ProofMigration
from portico_users.groups.former_members import FormerMembers
from portico_users.identity_providers.former_users import FormerUsers
from portico_users.journal.outbox import Backlog, Relay
from portico_users.management_api.all_operations import OPERATIONS
from portico_users.management_api.transport.caller_addresses import CallerAddresses
from portico_users.management_api.transport.endpoints.public_endpoints import LogoEndpoint
from portico_users.management_api.transport.routes import ManagementRoutes
from portico_users.management_api.zitadel import load_zitadel_methods
from portico_users.notifications.email.dispatcher import EmailDispatcher
from portico_users.notifications.email.transport import SmtpTransport
from portico_users.scim.api.endpoint import ScimEndpoint
from portico_users.scim_targets.sender import TargetSender
from portico_users.settings import Settings
from portico_users.storage.schema import Schema
from portico_users.webhooks.event_consumer import EventConsumer
from portico_users.webhooks.sender import Sender


def create_app(settings: Settings, *, externals: Externals | None = None) -> tuple[ASGIApp, Health]:
    health = Health()
    is_clock_real = externals is None
    externals = externals or _real_externals(settings, health)
    service = Service(settings, externals)
    if is_clock_real:
        health.add("clock", service.find(ClockGuard).check)
    service.messages.answer_on(externals.bus)
    app = create_application(lifespan(_running(service, externals)))
    install_catch_all(app)
    health.add("mongo", externals.mongo.check)
    health.add("form", service.find(StoredSchema).check)
    externals.bus.watch(health)
    keys = service.find_optional(MasterKeys)
    secrets_check = SecretsCheck(externals.mongo.database, "users", keys.fingerprints if keys else ())
    health.add("master-keys", secrets_check.check)
    health.add_degradation("secrets", secrets_check.degradation)
    health.add("indexes", service.find(Schema).check)
    load_zitadel = partial(load_zitadel_methods, service.dispatch, settings.issuer, service.parts.bind)
    routes = ManagementRoutes(
        app,
        service.dispatch,
        OPERATIONS,
        health,
        settings.issuer,
        service.find(LogoEndpoint),
        service.find(ScimEndpoint),
        load_zitadel if settings.zitadel_names else None,
    )
    proxies = TrustedProxies(settings.proxy_networks, settings.forwarding_networks)
    return Edge(CallerAddresses(routes, proxies), proxies), health


def _running(service: Service, externals: Externals) -> list[Component]:
    relay, sender, outbound = service.find(Relay), service.find(Sender), service.find(Outbound)
    running: list[Component] = [
        externals.mongo,
        service.find(StoredSchema),
        *externals.running,
        service.find(HashingPool),
    ]
    running += [Background("index-creation", service.find(Schema).create), externals.bus]
    running += [Background("email-proof-migration", service.find(ProofMigration).run_once)]
    running += [Background("search-index-build", service.find(WordIndex).run_once)]
    running += [relay, Background("outbox-relay", relay.run_once)]
    running += [Background("outbox-metrics", service.find(Backlog).watch)]
    running += [Background("password-count-backfill", _counting(service.find(HashCounts)))]
    running += [outbound, Background("grant-revocation", service.find(Revocations).run_once)]
    running += [Background("deleted-groups", service.find(FormerMembers).run_once)]
    running += [Background("ended-mappings", service.find(FormerUsers).run_once)]
    running += [Background("webhook-consumer", service.find(EventConsumer).run_once)]
    running += [Background("sign-in-log", service.find(SignInLog).run_once)]
    running += [sender, Background("webhook-sender", sender.run_once)]
    target_sender = service.find(TargetSender)
    running += [target_sender, Background("scim-target-sender", target_sender.run_once)]
    running += [service.find(AfterResponse), Background("memory-trimming", return_free_memory_periodically)]
    running += [Background("trace-recorder", service.find(DiagnosticsRecorder).run_once)]
    running += [Background("trace-retention", service.find(DiagnosticStore).trim)]
    # A mail server outage delays only emails, so it does not affect readiness.
    if dispatcher := service.find_optional(EmailDispatcher):
        running += [dispatcher, Background("email-dispatcher", dispatcher.run_once)]
    return running


def _counting(counts: HashCounts) -> Callable[[], Awaitable[None]]:
    """Counts passwords stored by releases without counters, then waits forever."""

    async def count() -> None:
        await counts.count_older()
        await asyncio.Event().wait()

    return count


def _real_externals(settings: Settings, health: Health) -> Externals:
    mongo, redis, clock = MongoClient(settings, "users"), RedisClient(settings, "users"), SystemClock()
    lease = Lease(RedisVersionReader(redis), clock)
    redis.when_lost(lease.end)
    # Without Redis existing objects cannot be changed, but everything can be read.
    health.add_degradation("redis", redis.degradation)
    return Externals(
        mongo=mongo,
        bus=NatsBus.of(settings, "users"),
        clock=clock,
        random=secrets.token_bytes,
        versions=RedisVersions(redis, secrets.token_bytes),
        lease=lease,
        running=(redis, Background("provider-versions", lease.poll_while_used)),
        transport=SmtpTransport(settings) if settings.smtp_host else None,
    )
