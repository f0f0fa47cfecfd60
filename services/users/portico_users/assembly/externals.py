from __future__ import annotations

from dataclasses import dataclass

from portico_oauth.master_keys import MasterKeys
from portico_oauth.opaque import RandomBytes
from portico_runtime.bus.bus import Bus as PublishingBus
from portico_runtime.mongo.client import Database, MongoClient
from portico_runtime.process.clock import Clock
from portico_runtime.process.clock_guard import ClockGuard
from portico_runtime.service import Component
from portico_runtime.settings.networks import read_allow_list
from portico_runtime.settings.sections.hashing import HashingSection
from portico_runtime.settings.sections.passkey import PasskeySection
from portico_runtime.versioned_cache.lease import Lease
from portico_runtime.versioned_cache.versions import Versions

from portico_users.assembly.parts import Parts
from portico_users.bus import Bus
from portico_users.identity_providers.federation.provider_calls import ProviderClient
from portico_users.lazy_migration.migration_hook import CallHook
from portico_users.notifications.email.transport import Transport
from portico_users.organizations.domains import Fetch, FindTexts
from portico_users.policies.token_lifetimes import LongestLifetimes
from portico_users.scim_targets.client import SendScim
from portico_users.settings import Settings
from portico_users.values.operator_settings import CanSendEmail, Issuer, OutboundAllowed, SignInLogSeconds, StepUpMode
from portico_users.webhooks.sender import Post


@dataclass(frozen=True, slots=True)
class Externals:
    """External dependencies; tests pass their own, None selects the configured client (or no mail server)."""

    mongo: MongoClient
    bus: PublishingBus
    clock: Clock
    random: RandomBytes
    versions: Versions
    transport: Transport | None = None
    outbound: Fetch | None = None
    names: FindTexts | None = None
    post: Post | None = None
    providers: ProviderClient | None = None
    hook: CallHook | None = None
    scim: SendScim | None = None
    lease: Lease | None = None
    running: tuple[Component, ...] = ()


def add_externals(parts: Parts, settings: Settings, externals: Externals) -> None:
    for part, kind in (
        (externals, Externals),
        (externals.mongo, MongoClient),
        (externals.mongo.database, Database),
        (externals.bus, Bus),
        (externals.bus, PublishingBus),
        (externals.clock, Clock),
        (ClockGuard(externals.clock, "mongo", externals.mongo.time), ClockGuard),
        (externals.random, RandomBytes),
        (externals.versions, Versions),
        (settings, Settings),
        (settings, HashingSection),
        (settings, PasskeySection),
        (Issuer(settings.issuer), Issuer),
        (CanSendEmail(externals.transport is not None), CanSendEmail),
        (OutboundAllowed(read_allow_list(settings.outbound_allow)), OutboundAllowed),
        (settings.longest_lifetimes, LongestLifetimes),
        (StepUpMode(settings.step_up), StepUpMode),
        (SignInLogSeconds(settings.sign_in_log_days * 86_400.0), SignInLogSeconds),
    ):
        parts.add(part, kind)
    parts.offer(_master_keys)


def _master_keys(settings: Settings) -> MasterKeys | None:
    text = settings.master_keys.get_secret_value()
    return MasterKeys.read(text) if text else None
