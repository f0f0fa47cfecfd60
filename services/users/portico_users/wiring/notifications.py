"""Notifications: emails and their queue, notices, webhooks."""

from __future__ import annotations

import asyncio
from typing import NewType

from portico_oauth.master_keys import MasterKeys
from portico_runtime.clock import Clock
from portico_runtime.mongo import Database
from portico_runtime.outbound import Outbound

from portico_users.directory.organizations.login_policies import PoliciesInForce
from portico_users.directory.organizations.org import MongoOrgs
from portico_users.kernel.bus import Bus
from portico_users.notifications.email.dispatcher import EmailDispatcher
from portico_users.notifications.email.queue import EmailQueue
from portico_users.notifications.notices.notice_links import NoticeLinks
from portico_users.notifications.notices.notices import Notices
from portico_users.notifications.webhooks.changes import WebhookSecrets
from portico_users.notifications.webhooks.deliveries import Deliveries
from portico_users.notifications.webhooks.delivery_queues import DeliveryQueues
from portico_users.notifications.webhooks.event_consumer import EventConsumer
from portico_users.notifications.webhooks.sender import Post, Sender, SenderParts
from portico_users.notifications.webhooks.store import MongoWebhooks
from portico_users.settings import Settings
from portico_users.tables import TABLES
from portico_users.wiring.externals import Externals
from portico_users.wiring.parts import Parts

EmailWakeup = NewType("EmailWakeup", asyncio.Event)
WebhookWakeup = NewType("WebhookWakeup", asyncio.Event)


def add_notifications(parts: Parts) -> None:
    """Adds the room."""
    parts.add(asyncio.Event(), EmailWakeup)
    parts.add(asyncio.Event(), WebhookWakeup)
    parts.offer(_emails, _dispatcher, NoticeLinks, Notices)
    parts.offer(MongoWebhooks, Deliveries, DeliveryQueues, SenderParts, WebhookSecrets)
    parts.offer(_post, _event_consumer, _sender)


def _emails(externals: Externals, database: Database, settings: Settings, wakeup: EmailWakeup) -> EmailQueue | None:
    if externals.transport is None:
        return None
    keys = MasterKeys.read(settings.master_keys.get_secret_value())
    return EmailQueue(database, externals.clock, externals.random, keys, committed=wakeup.set)


def _dispatcher(
    emails: EmailQueue | None, externals: Externals, settings: Settings, wakeup: EmailWakeup, policies: PoliciesInForce
) -> EmailDispatcher | None:
    if emails is None or externals.transport is None:
        return None
    return EmailDispatcher(
        emails,
        externals.transport,
        externals.clock,
        sender=settings.smtp_from,
        wakeup=wakeup,
        brandings=policies.branding,
    )


def _post(externals: Externals, outbound: Outbound) -> Post:
    return externals.post or outbound


def _event_consumer(
    bus: Bus,
    webhooks: MongoWebhooks,
    orgs: MongoOrgs,
    deliveries: Deliveries,
    queues: DeliveryQueues,
    clock: Clock,
    wakeup: WebhookWakeup,
) -> EventConsumer:
    return EventConsumer(
        bus=bus,
        webhooks=webhooks,
        orgs=orgs,
        deliveries=deliveries,
        queues=queues,
        clock=clock,
        tables={table.event.subject: table.name for table in TABLES},
        wakeup=wakeup,
    )


def _sender(delivering: SenderParts, wakeup: WebhookWakeup) -> Sender:
    return Sender(delivering, wakeup)
