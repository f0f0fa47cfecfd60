"""Parts that need more than other parts, such as a setting: each function makes the type it returns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final, NewType

from portico_contracts.activities.sign_ins import AGENTS
from portico_contracts.events import AGENT_ENDED
from portico_oauth.master_keys import MasterKeys
from portico_oauth.opaque import RandomBytes
from portico_runtime.bus.bus import Bus as PublishingBus
from portico_runtime.diagnostics.recorder import DiagnosticsRecorder
from portico_runtime.http_client.name_service import NameService
from portico_runtime.http_client.outbound import Outbound, resolve_with_system
from portico_runtime.mongo.client import Database, MongoClient
from portico_runtime.mongo.migrations import Migrations
from portico_runtime.mongo.schema_version import StoredSchema
from portico_runtime.process.clock import Clock
from portico_runtime.process.wakeup import Wakeup
from portico_runtime.versioned_cache.lease import Lease
from portico_runtime.versioned_cache.versions import Versions

from portico_users.accounts.states import Deletion
from portico_users.administrators.member import MongoMembers
from portico_users.assembly.externals import Externals
from portico_users.assembly.parts import Parts
from portico_users.audit.sign_ins.refusals import RefusalLog
from portico_users.bus import Bus
from portico_users.credentials.passwords.breached.breached_passwords import BreachedPasswords
from portico_users.credentials.passwords.breached.configured_list import configured_list
from portico_users.credentials.passwords.hash_counts import HashCounts, forgetting_password
from portico_users.credentials.passwords.hash_mix import HashMix
from portico_users.credentials.passwords.hashing import HashingPool
from portico_users.credentials.texts import TextQueue
from portico_users.grants.constraints import CONSTRAINTS
from portico_users.identity_providers.federation.ldap.connection import LdapConnections
from portico_users.identity_providers.federation.offered import OfferedProviders
from portico_users.identity_providers.federation.provider_calls import ProviderClient
from portico_users.identity_providers.federation.recent_providers import RecentProviders
from portico_users.identity_providers.secrets import SecretSealer
from portico_users.journal.journal import Journal
from portico_users.journal.outbox import Relay
from portico_users.journal.republishing import Republishing
from portico_users.lazy_migration.migration_hook import HOOK_SECONDS, CallHook
from portico_users.management_api.all_operations import OPERATIONS
from portico_users.management_api.transport.authentication import Authentication
from portico_users.management_api.transport.dispatch import Dispatch
from portico_users.management_api.transport.refused_calls import RefusedCalls
from portico_users.management_api.transport.step_up import StepUp
from portico_users.migrations import MIGRATIONS
from portico_users.notifications.email.delivery_record import DeliveryRecord
from portico_users.notifications.email.dispatcher import EmailDispatcher, MailServer
from portico_users.notifications.email.message import EmailBranding
from portico_users.notifications.email.queue import EmailQueue
from portico_users.notifications.notices.notices import Notices
from portico_users.notifications.senders.own_senders import OwnSenders
from portico_users.notifications.senders.own_smtp import OwnSmtp
from portico_users.organizations.domains import DomainVerification
from portico_users.organizations.org import MongoOrgs
from portico_users.policies.login_policies import LoginPolicies, PoliciesInForce
from portico_users.policies.logos import MongoLogos
from portico_users.scim_targets.client import SendScim
from portico_users.scim_targets.queues import TargetQueues
from portico_users.scim_targets.runs import TargetRuns
from portico_users.scim_targets.sender import TargetSender, TargetSenderParts
from portico_users.scim_targets.target import MongoScimTargets
from portico_users.scim_targets.target_changes import TargetChanges
from portico_users.scim_targets.target_users import TargetUsers
from portico_users.settings import Settings
from portico_users.storage.schema import Schema
from portico_users.tables import EVENTS, INDEXES, SCHEMA_VERSION, TABLES
from portico_users.token_hooks.hook_calls import CALL_SECONDS, CallTokenHooks
from portico_users.token_hooks.token_hooks import LOGGED_PER_MINUTE, LoggedCalls
from portico_users.values.names import new_id
from portico_users.values.operator_settings import OutboundAllowed
from portico_users.webhooks.deliveries import Deliveries
from portico_users.webhooks.delivery_queues import DeliveryQueues
from portico_users.webhooks.event_consumer import EventConsumer
from portico_users.webhooks.sender import Post, Sender, SenderParts
from portico_users.webhooks.store import MongoWebhooks

EmailWakeup = NewType("EmailWakeup", Wakeup)
WebhookWakeup = NewType("WebhookWakeup", Wakeup)
TargetWakeup = NewType("TargetWakeup", Wakeup)

SCIM_SECONDS: Final = 10.0
"""Of a request to a SCIM target: some take seconds to create an account."""


def _schema_version(database: Database) -> StoredSchema:
    return StoredSchema(database, "users", SCHEMA_VERSION)


def _schema(database: Database) -> Schema:
    return Schema(database, INDEXES)


def _relay(database: Database, bus: PublishingBus, clock: Clock, random: RandomBytes) -> Relay:
    return Relay(database, bus, clock, EVENTS, replica=new_id(random))


def _republishing(database: Database, relay: Relay) -> Republishing:
    return Republishing(database, relay, {table.name: table.event for table in TABLES})


def _migrations(parts: Parts, form: StoredSchema) -> Migrations:
    return Migrations(form, [parts.find(migration) for migration in MIGRATIONS])


def _journal(
    mongo: MongoClient,
    schema: Schema,
    clock: Clock,
    random: RandomBytes,
    relay: Relay,
    emails: TextQueue | None,
    notices: Notices,
    versions: Versions,
) -> Journal:
    def committed() -> None:
        relay.committed()
        if emails:
            emails.committed()

    return Journal(
        mongo, schema, clock, random, committed, constraints=CONSTRAINTS, notifications=notices, versions=versions
    )


def _deletion(database: Database) -> Deletion:
    return Deletion(database, forgetting_password(database))


def _outbound(settings: Settings) -> Outbound:
    return Outbound(settings)


def _domain_verification(externals: Externals, outbound: Outbound) -> DomainVerification:
    return DomainVerification(externals.outbound or outbound, externals.names or NameService())


def _hash_mix(database: Database, counts: HashCounts, clock: Clock, random: RandomBytes, pool: HashingPool) -> HashMix:
    return HashMix(database, counts, clock, random, pool.own_kind)


def _client(externals: Externals, settings: Settings) -> ProviderClient:
    # A separate connection pool, so that slow providers do not delay webhooks, and vice versa.
    return externals.providers or Outbound(settings)


def _lease(externals: Externals, clock: Clock) -> Lease:
    # Without a connection to Redis nothing is remembered.
    return externals.lease or Lease(None, clock)


def _recent_providers(offered: OfferedProviders, lease: Lease, clock: Clock) -> RecentProviders:
    return RecentProviders(offered, lease, clock)


def _ldap(settings: Settings, allowed: OutboundAllowed) -> LdapConnections:
    return LdapConnections(resolve_with_system, allowed, settings.outbound_ca_file)


def _breached_passwords(settings: Settings, clock: Clock) -> BreachedPasswords:
    return BreachedPasswords(configured_list(settings, settings), clock)


def _emails(externals: Externals, database: Database, settings: Settings, wakeup: EmailWakeup) -> EmailQueue | None:
    if externals.transport is None:
        return None
    keys = MasterKeys.read(settings.master_keys.get_secret_value())
    return EmailQueue(database, externals.clock, externals.random, keys, committed=wakeup.set)


def _texts(
    emails: EmailQueue | None, keys: MasterKeys | None, externals: Externals, wakeup: EmailWakeup
) -> TextQueue | None:
    if emails or keys is None:
        return TextQueue(emails) if emails else None
    return TextQueue(
        EmailQueue(externals.mongo.database, externals.clock, externals.random, keys, committed=wakeup.set)
    )


def _own_smtp(settings: Settings, allowed: OutboundAllowed, sealer: SecretSealer) -> OwnSmtp:
    return OwnSmtp(resolve_with_system, allowed, settings.outbound_ca_file, sealer)


async def _branding_of_emails(policies: PoliciesInForce, logos: MongoLogos, org_id: str) -> EmailBranding:
    branding = await policies.branding(org_id)
    light, dark = await asyncio.gather(logos.find_for_emails(branding.logo), logos.find_for_emails(branding.logo_dark))
    return EmailBranding(branding, light, dark)


def _dispatcher(
    queue: TextQueue | None,
    record: DeliveryRecord,
    own_senders: OwnSenders,
    externals: Externals,
    settings: Settings,
    wakeup: EmailWakeup,
    policies: PoliciesInForce,
) -> EmailDispatcher | None:
    if queue is None:
        return None
    return EmailDispatcher(
        queue,
        record,
        externals.clock,
        server=MailServer(externals.transport, settings.smtp_from) if externals.transport else None,
        own_senders=own_senders,
        wakeup=wakeup,
        brandings=partial(_branding_of_emails, policies, MongoLogos(externals.mongo.database)),
    )


def _post(externals: Externals, outbound: Outbound) -> Post:
    return externals.post or outbound


def _call_hook(externals: Externals, settings: Settings) -> CallHook:
    return externals.hook or Outbound(settings, seconds=HOOK_SECONDS)


def _call_token_hooks(externals: Externals, settings: Settings) -> CallTokenHooks:
    return externals.hook or Outbound(settings, seconds=CALL_SECONDS)


def _logged_calls(clock: Clock) -> LoggedCalls:
    return LoggedCalls(clock, LOGGED_PER_MINUTE)


def _queues(database: Database, clock: Clock, random: RandomBytes, wakeup: WebhookWakeup) -> DeliveryQueues:
    return DeliveryQueues(database, clock, random, announce=wakeup.set)


def _event_consumer(
    bus: Bus,
    webhooks: MongoWebhooks,
    orgs: MongoOrgs,
    deliveries: Deliveries,
    queues: DeliveryQueues,
    clock: Clock,
    targets: TargetChanges,
) -> EventConsumer:
    return EventConsumer(
        bus=bus,
        webhooks=webhooks,
        orgs=orgs,
        deliveries=deliveries,
        queues=queues,
        clock=clock,
        tables={**{table.event.subject: table.name for table in TABLES}, AGENT_ENDED.subject: AGENTS},
        also=targets.consume,
    )


def _sender(delivering: SenderParts, wakeup: WebhookWakeup) -> Sender:
    return Sender(delivering, wakeup)


def _send_scim(externals: Externals, settings: Settings) -> SendScim:
    # A separate connection pool, so that slow targets do not delay webhooks.
    return externals.scim or Outbound(settings, seconds=SCIM_SECONDS)


def _target_queues(database: Database, clock: Clock, random: RandomBytes, wakeup: TargetWakeup) -> TargetQueues:
    return TargetQueues(database, clock, random, announce=wakeup.set)


def _target_changes(
    targets: MongoScimTargets, people: TargetUsers, runs: TargetRuns, queues: TargetQueues, clock: Clock
) -> TargetChanges:
    return TargetChanges(targets, people, runs, queues, clock)


def _target_sender(sending: TargetSenderParts, wakeup: TargetWakeup) -> TargetSender:
    return TargetSender(sending, wakeup)


def _recorder(refusals: RefusalLog, clock: Clock) -> DiagnosticsRecorder:
    return DiagnosticsRecorder(refusals.record, clock)


def _dispatch(
    parts: Parts,
    authentication: Authentication,
    members: MongoMembers,
    clock: Clock,
    refused_calls: RefusedCalls,
    step_up: StepUp,
    policies: LoginPolicies,
) -> Dispatch:
    return Dispatch(OPERATIONS, parts.bind, authentication, members, clock, refused_calls, step_up, policies)


MAKERS: Final[tuple[Callable[..., object], ...]] = (
    _schema_version,
    _schema,
    _relay,
    _republishing,
    _migrations,
    _journal,
    _deletion,
    _outbound,
    _domain_verification,
    _hash_mix,
    _client,
    _lease,
    _recent_providers,
    _ldap,
    _breached_passwords,
    _emails,
    _texts,
    _own_smtp,
    _dispatcher,
    _post,
    _call_hook,
    _call_token_hooks,
    _logged_calls,
    _queues,
    _event_consumer,
    _sender,
    _send_scim,
    _target_queues,
    _target_changes,
    _target_sender,
    _recorder,
    _dispatch,
)
