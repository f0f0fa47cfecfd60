from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, Protocol

import msgspec
import structlog
from portico_oauth.errors import ServiceError
from portico_oauth.master_keys import UnsealingFailed
from portico_runtime.http_client.addresses import OutboundError
from portico_runtime.http_client.outbound import ResponseHead
from portico_runtime.process.clock import Clock
from portico_runtime.process.wakeup import Wakeup
from prometheus_client.metrics import Counter

from portico_users.identity_providers.secrets import SecretSealer
from portico_users.journal.journal import Journal
from portico_users.organizations.org import MongoOrgs
from portico_users.storage.entry import Entry
from portico_users.values.records import State, deactivated
from portico_users.webhooks.changes import secrets_in_force
from portico_users.webhooks.deliveries import Attempt, Deliveries, Delivery, DeliveryState
from portico_users.webhooks.delivery_queues import DeliveryQueue, DeliveryQueues
from portico_users.webhooks.queue_turns import QueueTurns
from portico_users.webhooks.store import WEBHOOK_TABLE, MongoWebhooks
from portico_users.webhooks.webhook import Webhook, asked_pause, headers_of

log = structlog.get_logger("portico.webhooks")

ATTEMPTS = Counter("portico_webhook_attempts_total", "Webhook delivery attempts by outcome.", ["outcome"])
DISABLED = Counter("portico_webhooks_disabled_total", "Webhooks disabled after failing for too long.")

QUEUES_AT_ONCE: Final = 8
"""Webhooks that one replica processes concurrently."""

LONG_AT_ONCE: Final = 6
"""Those of them whose last turn was not long enough, as with slow receivers: the others find a free place soon."""

OBJECTS_AT_ONCE: Final = 4
"""Concurrent requests to one webhook, each about another object."""

BATCH: Final = 100
"""Deliveries of one webhook in memory."""

SLICE_SECONDS: Final = 20.0
"""Time slice of one queue: with the last request, less than the lease."""

BACK_AFTER: Final = 5
"""After this many consecutive failures, a success makes all pending deliveries due."""

_GONE: Final = 410
_BUSY: Final = frozenset({429, 503})
"""Statuses with which a receiver can request a pause (Standard Webhooks; RFC 6585 section 4, RFC 9110 section
15.6.4).
"""


class Post(Protocol):
    async def post(self, url: str, body: bytes, headers: dict[str, str]) -> ResponseHead:
        """Does not read the response body. Raises `OutboundError` if the request is not allowed or fails."""
        ...


@dataclass(slots=True)
class _Round:
    webhook: Webhook
    ends: float
    took: int = 0
    refused: int = 0
    asked: float = 0.0
    failure: str = ""

    @property
    def over(self) -> bool:
        """Reports whether all requests failed or a pause was requested, so that further requests are pointless."""
        return (self.refused > 0 and not self.took) or self.asked > 0


@dataclass(frozen=True, slots=True)
class SenderParts:
    webhooks: MongoWebhooks
    orgs: MongoOrgs
    deliveries: Deliveries
    queues: DeliveryQueues
    journal: Journal
    sealer: SecretSealer
    outbound: Post
    clock: Clock


class Sender(QueueTurns):
    """Processes the queues of webhooks."""

    at_once = QUEUES_AT_ONCE

    def __init__(self, parts: SenderParts, wakeup: Wakeup) -> None:
        super().__init__(parts.queues, parts.clock, wakeup)
        self._parts = parts

    @property
    def _only_short(self) -> bool:
        return sum(queue.is_long for queue in self._serving.values()) >= LONG_AT_ONCE

    async def _serve(self, queue: DeliveryQueue) -> None:
        try:
            await self._serve_once(queue)
        except ServiceError as error:
            # The queue is processed again after its lease expires.
            log.warning("webhook queue failed", webhook=queue.webhook_id, cause=error.text, private=error.private)
        except Exception:  # one webhook must not end the work for all others
            log.exception("webhook queue failed", webhook=queue.webhook_id)

    async def _serve_once(self, queue: DeliveryQueue) -> None:
        parts = self._parts
        webhook = await self._find_active(queue.webhook_id)
        took: bool | None = None
        if webhook is None:
            mark = await parts.queues.mark(queue)
            await parts.deliveries.withdraw(queue.webhook_id)
            await parts.queues.release(replace(queue, failures=0, failing_since=0.0), mark, None, took=None)
            return
        now = _Round(webhook, asyncio.get_running_loop().time() + SLICE_SECONDS)
        await self._send_due(queue, now)
        if now.took or now.refused:
            took = now.took > 0
        mark = await parts.queues.mark(queue)
        next_time = await parts.deliveries.find_next_time(webhook.id)
        is_long = asyncio.get_running_loop().time() >= now.ends
        await parts.queues.release(queue, mark, next_time, took=took, asked=now.asked, is_long=is_long)
        if now.failure:
            await self._switch_off(now.webhook, now.failure)

    async def _find_active(self, id: str) -> Webhook | None:
        """Returns the webhook unless it is inactive or its organization deleted."""
        webhook = await self._parts.webhooks.find(id)
        if webhook is None or webhook.state is not State.ACTIVE:
            return None
        if webhook.of_instance:
            return webhook
        org = await self._parts.orgs.find(webhook.org_id)
        return webhook if org is not None and org.state is not State.DELETED else None

    async def _send_due(self, queue: DeliveryQueue, now: _Round) -> None:
        while not self._is_over(now):
            waiting = await self._parts.deliveries.list_due(now.webhook.id, BATCH)
            if not waiting:
                return
            objects = iter(waiting)
            workers = (self._work(queue, now, objects) for _ in range(OBJECTS_AT_ONCE))
            results = await asyncio.gather(*workers, return_exceptions=True)
            for result in results:
                if isinstance(result, BaseException):
                    raise result
            # The webhook may have been deactivated, removed or changed since.
            webhook = await self._find_active(now.webhook.id)
            if webhook is None:
                return
            now.webhook = webhook

    def _is_over(self, now: _Round) -> bool:
        return self._stopping or now.over or bool(now.failure) or asyncio.get_running_loop().time() >= now.ends

    async def _work(self, queue: DeliveryQueue, now: _Round, objects: Iterator[list[Delivery]]) -> None:
        for deliveries in objects:
            for delivery in deliveries:
                if self._is_over(now):
                    return
                if not await self._send(queue, now, delivery):
                    break  # what comes later about this object waits for it

    async def _send(self, queue: DeliveryQueue, now: _Round, delivery: Delivery) -> bool:
        attempt, asked = await self._try(now.webhook, delivery)
        now.asked = max(now.asked, asked)
        state = await self._parts.deliveries.settle(delivery, attempt, asked)
        ATTEMPTS.labels("failed" if attempt.cause else "delivered").inc()
        if attempt.cause:
            log.info("webhook failed", webhook=now.webhook.id, delivery=delivery.event_id, cause=attempt.cause)
            now.refused += 1
            if attempt.status == _GONE:
                now.failure = "the receiver wants no more (410)"
            elif state is DeliveryState.GIVEN_UP and not now.took and 0 < queue.failing_since <= delivery.tried:
                now.failure = "the receiver took nothing for three days"
            return False
        if not now.took and queue.failures >= BACK_AFTER:
            await self._parts.deliveries.hurry(now.webhook.id)
        now.took += 1
        return True

    async def _try(self, webhook: Webhook, delivery: Delivery) -> tuple[Attempt, float]:
        """Returns the attempt, and the pause in seconds requested by the receiver."""
        loop, at = asyncio.get_running_loop(), self._parts.clock.now()
        began, taken, cause = loop.time(), ResponseHead(0), ""
        try:
            secrets = secrets_in_force(webhook, self._parts.sealer, at)
            headers = headers_of(delivery.event_id, delivery.body, secrets, at)
            taken = await self._parts.outbound.post(webhook.url, delivery.body.encode(), headers)
        except OutboundError as error:
            cause = str(error)[:200]
        except UnsealingFailed as error:
            cause = f"the secret cannot be decrypted: {error}"
        if not cause and not 200 <= taken.status < 300:
            cause = f"status {taken.status}"
        asked = asked_pause(taken.retry_after, self._parts.clock.now()) if taken.status in _BUSY else 0.0
        milliseconds = round((loop.time() - began) * 1000)
        return Attempt(at=at, status=taken.status, milliseconds=milliseconds, cause=cause), asked

    async def _switch_off(self, webhook: Webhook, failure: str) -> None:
        """Deactivates the webhook, which publishes an event; postponed after a concurrent change."""
        with suppress(ServiceError):
            after = msgspec.structs.replace(deactivated(webhook), failure=failure)
            await self._parts.journal.commit((Entry(WEBHOOK_TABLE, webhook, after),))
            DISABLED.inc()
            log.warning("webhook disabled", webhook=webhook.id, cause=failure)
            await self._parts.deliveries.withdraw(webhook.id)
