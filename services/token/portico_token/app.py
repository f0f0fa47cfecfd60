from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from portico_oauth.opaque import RandomBytes
from portico_runtime.bus.bus import Bus
from portico_runtime.bus.nats_bus import NatsBus
from portico_runtime.diagnostics.recorder import DiagnosticsRecorder
from portico_runtime.process.background import Background
from portico_runtime.process.clock import Clock, SystemClock
from portico_runtime.process.clock_guard import ClockGuard
from portico_runtime.process.health import Health
from portico_runtime.redis.client import RedisClient
from portico_runtime.redis.memory import RedisMemory
from portico_runtime.redis.nodes.history import History
from portico_runtime.redis.remembered_history import RememberedHistory
from portico_runtime.service import Component, lifespan
from portico_runtime.versioned_cache.memory import RedisVersionReader, VersionedCache
from portico_web.application import create_application
from portico_web.direct_routes import DirectRoutes
from portico_web.edge import Edge
from portico_web.surfaces import install_catch_all
from portico_web.trusted_proxies import TrustedProxies
from starlette.routing import Route
from starlette.types import ASGIApp

from portico_token.accepted_assertions.verification import AcceptedAssertions
from portico_token.active_tokens import ActiveTokens
from portico_token.assertions.verification import Assertions
from portico_token.cached_users import CachedUsers
from portico_token.client_auth.authentication import ClientAuthentication
from portico_token.client_auth.by_assertion import AssertedClients
from portico_token.client_auth.by_workload import WorkloadClients
from portico_token.client_auth.certificate_checks import CertificateChecks, read_authorities
from portico_token.client_auth.from_gateway import GatewayCertificates
from portico_token.client_auth.protocol import MethodDependencies
from portico_token.client_auth.secret_uses import SecretUses
from portico_token.device_authorization import DeviceAuthorization
from portico_token.diagnostics import Diagnostics
from portico_token.domain.assertions import AssertionStore
from portico_token.domain.grants import GrantStore
from portico_token.domain.lifetimes import Lifetimes
from portico_token.domain.revocations import RevocationStore
from portico_token.dpop.nonces import Nonces
from portico_token.dpop.proofs import Proofs
from portico_token.grants.compromised_grants import CompromisedGrants
from portico_token.grants.protocol import GrantDependencies
from portico_token.id_token_reader import IdTokenReader
from portico_token.implicit_issuance import ImplicitIssuance
from portico_token.introspection import Introspection
from portico_token.issuing.access_tokens import AccessTokens
from portico_token.issuing.agent_uses import AgentUses
from portico_token.issuing.id_tokens import IdTokens
from portico_token.issuing.identity_assertions import AssertionSigner
from portico_token.issuing.issuer import Issuer
from portico_token.issuing.private_claims import PrivateClaims
from portico_token.issuing.refresh_tokens import RefreshTokens
from portico_token.issuing.subject import Subjects
from portico_token.issuing.token_hooks import TokenHooks
from portico_token.logout_tokens import LogoutTokenSigner
from portico_token.messages import Messages
from portico_token.preview import TokenPreview
from portico_token.pushed_requests import PushedRequests
from portico_token.revocation import Revocation
from portico_token.routes import routes
from portico_token.settings import Settings
from portico_token.signing.key_ring import KeyRing
from portico_token.signing.signer import Signer
from portico_token.store.redis_assertions import RedisAssertions
from portico_token.store.redis_clock import RedisClock
from portico_token.store.redis_epochs import RedisEpochs
from portico_token.store.redis_grants import RedisGrants
from portico_token.store.redis_revocations import RedisRevocations
from portico_token.token_endpoint import TokenEndpoint
from portico_token.token_reader import TokenReader
from portico_token.userinfo import Userinfo
from portico_token.users_client import UsersClient
from portico_token.workloads.issuer_keys import IssuerKeyCache
from portico_token.workloads.tokens import WorkloadTokens
from portico_token.workloads.uses import WorkloadUses


@dataclass(frozen=True, slots=True)
class Parts:
    """`living` starts before the bus and closes after it, in order; `on_bus` the other way round."""

    bus: Bus
    clock: Clock
    random: RandomBytes
    grants: GrantStore
    revocations: RevocationStore
    assertions: AssertionStore
    memory: VersionedCache | None = None
    monotonic: Callable[[], float] = time.monotonic
    living: tuple[Component, ...] = ()
    on_bus: tuple[Component, ...] = ()


def production_parts(settings: Settings, health: Health) -> Parts:
    history = History("token")
    redis = RedisClient(settings, "token", history)
    epochs = RedisEpochs(redis, history)
    redis_clock = RedisClock(redis, epochs, SystemClock())
    clock = ClockGuard(SystemClock(), "redis", redis_clock.time)
    health.add("redis", redis.check)
    health.add("clock", clock.check)
    bus = NatsBus.of(settings, "token")
    memory = VersionedCache(RedisVersionReader(redis), clock, most=settings.people_in_memory)
    redis.when_lost(memory.lease.end)
    history.when_begun_anew(epochs.wake)
    remembered = RememberedHistory(history, bus, clock)
    health.add("history", remembered.check)
    health.add("epochs", epochs.check)
    return Parts(
        bus,
        clock,
        secrets.token_bytes,
        RedisGrants(redis, clock),
        RedisRevocations(redis, clock),
        RedisAssertions(redis),
        memory=memory,
        living=(
            redis,
            Background("epoch-maintenance", redis_clock.maintain_epochs),
            Background("redis-memory-metrics", RedisMemory(redis).watch),
        ),
        on_bus=(remembered,),
    )


def create_app(settings: Settings, *, parts: Parts | None = None) -> tuple[ASGIApp, Health]:
    health = Health(parts.monotonic if parts else time.monotonic)
    parts = parts or production_parts(settings, health)
    ring = KeyRing(parts.bus, parts.clock, parts.monotonic)
    memory = parts.memory or VersionedCache(
        None, parts.clock, most=settings.people_in_memory, monotonic=parts.monotonic
    )
    users_client, users = UsersClient(parts.bus, parts.clock, memory.lease), CachedUsers(parts.bus, memory)
    ring.listen()
    users_client.listen()
    users.listen()
    parts.bus.watch(health)
    health.add("keys", ring.check)
    living = (*parts.living, parts.bus, *parts.on_bus, Background("signing-key-renewal", ring.renew_periodically))
    traces = DiagnosticsRecorder.over(parts.bus, parts.clock)
    living += (*users.upkeep(), Background("trace-recorder", traces.run_once))
    app = create_application(lifespan(living))
    proxies = TrustedProxies(settings.proxy_networks, settings.forwarding_networks)
    app.router.routes += _serve(settings, parts, ring, users_client, users, traces, proxies)
    install_catch_all(app)
    served: ASGIApp = Edge(DirectRoutes(app), proxies)
    if settings.mtls_url:
        key = settings.mtls_gateway_key.get_secret_value()
        served = GatewayCertificates(served, proxies.sent, key, settings.mtls_url)
    return served, health


def _answers(
    settings: Settings, clients: ClientAuthentication, active: ActiveTokens, proofs: Proofs
) -> Callable[[CachedUsers, PrivateClaims], tuple[Userinfo, Introspection]]:
    """Userinfo and introspection of stored users, and for a preview of users with other roles."""
    theirs = settings.zitadel_names

    def answers(users: CachedUsers, claims: PrivateClaims) -> tuple[Userinfo, Introspection]:
        introspection = Introspection(settings.issuer, clients, active, users, claims, zitadel_names=theirs)
        return Userinfo(active, users, claims, proofs, zitadel_names=theirs), introspection

    return answers


def _serve(
    settings: Settings,
    parts: Parts,
    ring: KeyRing,
    users_client: UsersClient,
    users: CachedUsers,
    traces: DiagnosticsRecorder,
    proxies: TrustedProxies,
) -> list[Route]:
    theirs, signer, reader = settings.zitadel_names, Signer(ring), TokenReader(settings.issuer, ring)
    assertions, issuer_keys = Assertions(parts.assertions, parts.clock), IssuerKeyCache(parts.bus, parts.clock)
    workloads = _workloads(settings, parts, users_client, issuer_keys)
    accepted = AcceptedAssertions(settings.issuer, users_client, issuer_keys, parts.assertions, parts.clock)
    clients = ClientAuthentication(users_client, _methods(settings, parts, assertions), workloads)
    proofs = Proofs(settings.issuer, parts.assertions, parts.clock, Nonces(ring.mac_keys, parts.clock))
    compromised_grants, longest = CompromisedGrants(parts.bus, parts.grants, parts.clock), _longest(settings)
    private_claims, refresh_tokens = PrivateClaims(users), RefreshTokens(parts.random, longest)
    access_tokens = AccessTokens(settings.issuer, signer, parts.random, longest, zitadel_names=theirs)
    id_tokens = IdTokens(settings.issuer, signer, longest, zitadel_names=theirs)
    issuer = Issuer(
        Subjects(users, private_claims), access_tokens, refresh_tokens, id_tokens, parts.grants, compromised_grants,
        parts.clock, TokenHooks(parts.bus, users), AgentUses(parts.bus, parts.clock),
        AssertionSigner(settings.issuer, signer, parts.clock, parts.random),
    )  # fmt: skip
    active = ActiveTokens(reader, parts.grants, parts.revocations, users_client, users, parts.clock)
    dependencies = GrantDependencies(
        parts.bus, parts.grants, users_client, users, parts.clock, parts.random, compromised_grants, active,
        IdTokenReader(settings.issuer, ring, parts.clock),
    )  # fmt: skip
    answers = _answers(settings, clients, active, proofs)
    userinfo, introspection = answers(users, private_claims)
    Messages(
        parts.grants, parts.revocations, ImplicitIssuance(issuer, dependencies),
        LogoutTokenSigner(settings.issuer, signer, users_client, parts.clock, parts.random), active,
        TokenPreview(settings.issuer, dependencies, answers, longest, zitadel_names=theirs),
        settings.access_token_seconds, proofs,
    ).answer_on(parts.bus)  # fmt: skip
    asserted = AssertedClients(users_client, settings.issuer, assertions, workloads)
    return routes(
        TokenEndpoint(clients, asserted, dependencies, issuer, signer, traces, proofs, accepted, zitadel_names=theirs),
        DeviceAuthorization(settings.issuer, clients, parts.bus, proxies),
        introspection,
        Revocation(clients, reader, parts.grants, parts.revocations, parts.clock),
        userinfo,
        PushedRequests(clients, parts.bus, proxies, proofs),
        users_client,
        Diagnostics(traces, users_client),
    )


def _workloads(settings: Settings, parts: Parts, users_client: UsersClient, keys: IssuerKeyCache) -> WorkloadClients:
    tokens = WorkloadTokens(settings.issuer, keys, parts.clock)
    return WorkloadClients(users_client, tokens, WorkloadUses(parts.bus, parts.clock))


def _methods(settings: Settings, parts: Parts, assertions: Assertions) -> MethodDependencies:
    certificates = (
        CertificateChecks(read_authorities(settings.mtls_ca_file), parts.clock) if settings.mtls_url else None
    )
    uses = SecretUses(parts.bus, parts.clock)
    return MethodDependencies(settings.issuer, assertions, parts.clock, uses, certificates)


def _longest(settings: Settings) -> Lifetimes:
    return Lifetimes(
        access_token=settings.access_token_seconds,
        id_token=settings.id_token_seconds,
        refresh_idle=settings.refresh_idle_seconds,
        refresh=settings.refresh_seconds,
    )
