"""Webhooks of organizations and of the instance, and their deliveries."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

import msgspec
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import RandomBytes
from portico_runtime.process.clock import Clock

from portico_users.identity_providers.secrets import SecretSealer
from portico_users.journal.command import Command, Commit
from portico_users.projects.store import MongoProjects
from portico_users.storage.entry import Entry
from portico_users.values.names import new_id
from portico_users.values.operator_settings import OutboundAllowed
from portico_users.values.problems import at
from portico_users.values.records import State, deactivated, reactivated
from portico_users.webhooks.changes import TOO_MANY_WEBHOOKS, put_webhook, remove_webhook, with_secret
from portico_users.webhooks.deliveries import Deliveries
from portico_users.webhooks.delivery_queues import DeliveryQueues
from portico_users.webhooks.rules import HOOK_PROJECT, MAX_WEBHOOKS
from portico_users.webhooks.store import WEBHOOK_TABLE, MongoWebhooks
from portico_users.webhooks.webhook import TOKEN_ISSUE, Webhook, new_secret

KEEP_SECONDS: Final = 86_400
"""How long the previous secret keeps signing by default, in seconds."""

Effects = tuple[Callable[[], Awaitable[None]], ...]


@dataclass(frozen=True, slots=True)
class PlannedWebhook:
    entry: Entry[Webhook]
    effects: Effects = ()
    secret: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class DeliveryEffects(Command):
    deliveries: Deliveries
    queues: DeliveryQueues

    def of(self, before: Webhook, after: Webhook) -> Effects:
        """A deactivated webhook loses its deliveries; a reactivation or new URL retries pending ones at once."""
        if before.state is State.ACTIVE and after.state is not State.ACTIVE:
            return (lambda: self.deliveries.withdraw(after.id),)
        if before.state is after.state and before.url == after.url:
            return ()
        return (
            lambda: self.deliveries.hurry(after.id),
            lambda: self.queues.reset_attempts(after.id),
            lambda: self.queues.wake((after.id,)),
        )


@dataclass(frozen=True, slots=True)
class HookProjects(Command):
    projects: MongoProjects

    async def require_own(self, webhook: Webhook) -> None:
        """Raises USER-153; before the commit, whose unique key shows whether another organization has a hook (MG-04)."""
        if webhook.project_id:
            project = await self.projects.find(webhook.project_id)
            if project is None or project.org_id != webhook.org_id or project.state is State.DELETED:
                raise at("projectId", HOOK_PROJECT.error())


@dataclass(frozen=True, slots=True)
class AddWebhook(Command):
    commit: Commit
    webhooks: MongoWebhooks
    hook_projects: HookProjects
    sealer: SecretSealer
    allowed: OutboundAllowed
    random: RandomBytes

    def plan(self, webhook: Webhook, *, secret: str = "") -> PlannedWebhook:
        made = "" if secret else new_secret(self.random)
        webhook = msgspec.structs.replace(webhook, id=webhook.id or new_id(self.random))
        webhook = with_secret(webhook, secret or made, self.sealer)
        return PlannedWebhook(put_webhook(None, webhook, self.allowed), secret=made)

    async def refuse_too_many(self, owner_id: str, added: int = 1) -> None:
        self.refuse_more(added + await self.webhooks.count(owner_id))

    def refuse_more(self, count: int) -> None:
        if count > MAX_WEBHOOKS:
            raise TOO_MANY_WEBHOOKS.error()

    async def __call__(self, webhook: Webhook, *, actor: str) -> tuple[Webhook, str]:
        await self.refuse_too_many(webhook.org_id)
        planned = self.plan(webhook)
        await self.hook_projects.require_own(webhook)
        return await self.commit(planned.entry, actor=actor), planned.secret


@dataclass(frozen=True, slots=True)
class UpdateWebhook(Command):
    commit: Commit
    hook_projects: HookProjects
    effects: DeliveryEffects
    queues: DeliveryQueues
    allowed: OutboundAllowed

    def plan(self, before: Webhook, after: Webhook) -> PlannedWebhook:
        if after.state is State.ACTIVE:
            after = msgspec.structs.replace(after, failure="" if before.state is not State.ACTIVE else after.failure)
        entry = put_webhook(before, after, self.allowed)
        return PlannedWebhook(entry, self.effects.of(before, after))

    async def __call__(self, before: Webhook, after: Webhook, *, actor: str) -> Webhook:
        planned = self.plan(before, after)
        await self.hook_projects.require_own(after)
        record = await self.commit.change(planned.entry, actor=actor)
        for follow in planned.effects:
            await follow()
        return record

    async def deactivate(self, before: Webhook, *, actor: str) -> Webhook:
        """Stops deliveries and withdraws pending ones. Raises USER-700 if the webhook is not active."""
        after = deactivated(before)
        record = await self.commit(Entry(WEBHOOK_TABLE, before, after), actor=actor)
        for follow in self.effects.of(before, after):
            await follow()
        return record

    async def activate(self, before: Webhook, *, actor: str) -> Webhook:
        after = msgspec.structs.replace(reactivated(before), failure="")
        # Reset first, so that new events do not wait for an old pause.
        await self.queues.reset_attempts(before.id)
        return await self.commit(Entry(WEBHOOK_TABLE, before, after), actor=actor)


@dataclass(frozen=True, slots=True)
class RotateWebhookSecret(Command):
    """Replaces the secret; the previous one keeps signing for a while."""

    commit: Commit
    sealer: SecretSealer
    clock: Clock
    random: RandomBytes

    async def __call__(self, before: Webhook, keep_seconds: float | None = None, *, actor: str) -> tuple[Webhook, str]:
        keep = KEEP_SECONDS if keep_seconds is None else keep_seconds
        secret = new_secret(self.random)
        after = with_secret(before, secret, self.sealer, old_until=self.clock.now() + keep if keep else 0.0)
        return await self.commit(Entry(WEBHOOK_TABLE, before, after), actor=actor), secret


@dataclass(frozen=True, slots=True)
class RemoveWebhook(Command):
    """Removes webhooks with their secrets and pending deliveries; frees the name."""

    commit: Commit
    effects: DeliveryEffects

    def plan(self, before: Webhook) -> PlannedWebhook:
        entry = remove_webhook(before)
        return PlannedWebhook(entry, self.effects.of(before, entry.after))

    async def __call__(self, before: Webhook, *, actor: str) -> Webhook:
        planned = self.plan(before)
        record = await self.commit(planned.entry, actor=actor)
        for follow in planned.effects:
            await follow()
        return record


DELIVERY_NOT_FOUND = ErrorCode(
    "USER-804",
    Kind.NOT_FOUND,
    "The webhook has no delivery of this event, or it is too old.",
    "See the list of deliveries.",
)
WEBHOOK_INACTIVE = ErrorCode(
    "USER-805", Kind.FAILED_PRECONDITION, "The webhook is deactivated.", "Activate it before you send an event again."
)


CALL_NOT_SENT_AGAIN = ErrorCode(
    "USER-156",
    Kind.FAILED_PRECONDITION,
    "The call of a token hook is not sent again: its request for tokens has ended.",
    "Test the hook instead.",
)


@dataclass(frozen=True, slots=True)
class ResendDelivery(Command):
    """Resends an event to a webhook at once, with the same delivery id and in any state."""

    deliveries: Deliveries
    queues: DeliveryQueues

    async def __call__(self, webhook: Webhook, event_id: str) -> None:
        """Enqueues the delivery. Raises USER-804 for an unknown one, USER-805 for an inactive webhook, USER-156."""
        delivery = await self.deliveries.find(webhook.id, event_id)
        if delivery is None:
            raise DELIVERY_NOT_FOUND.error()
        if delivery.type == TOKEN_ISSUE:
            raise CALL_NOT_SENT_AGAIN.error()
        if webhook.state is not State.ACTIVE:
            raise WEBHOOK_INACTIVE.error()
        await self.deliveries.send_again(delivery)
        await self.queues.reset_attempts(webhook.id)
        await self.queues.wake((webhook.id,))
