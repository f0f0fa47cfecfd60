"""Sends what waits: each webhook in a lane of its own, so that nobody waits for another's receiver."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, Protocol

import msgspec
import structlog
from portico_oauth.errors import ServiceError
from portico_oauth.master_keys import CannotUnseal
from portico_runtime.addresses import OutboundError
from portico_runtime.clock import Clock
from portico_runtime.outbound import Taken
from prometheus_client import Counter

from portico_users.directory.identity_providers.secrets import SecretSealer
from portico_users.directory.organizations.store import MongoOrgs
from portico_users.kernel.entry import Entry
from portico_users.kernel.journal import Journal
from portico_users.kernel.records import State
from portico_users.kernel.states import deactivated
from portico_users.notifications.webhooks.changes import secrets_in_force
from portico_users.notifications.webhooks.deliveries import Attempt, Deliveries, Delivery, DeliveryState
from portico_users.notifications.webhooks.delivery_queues import Lane, Lanes
from portico_users.notifications.webhooks.message import headers_of
from portico_users.notifications.webhooks.schedule import asked_pause
from portico_users.notifications.webhooks.store import WEBHOOK_TABLE, MongoWebhooks
from portico_users.notifications.webhooks.webhook import Webhook

log = structlog.get_logger("portico.webhooks")

ATTEMPTS = Counter("portico_webhook_attempts_total", "Attempts to deliver an event to a webhook.", ["outcome"])
SWITCHED_OFF = Counter("portico_webhooks_switched_off_total", "Webhooks that took nothing for too long.")

LANES_AT_ONCE: Final = 8
"""Webhooks one replica serves side by side."""

OBJECTS_AT_ONCE: Final = 4
"""Requests to one webhook side by side, each about another object."""

BATCH: Final = 100
"""Deliveries of one webhook in memory."""

SLICE_SECONDS: Final = 20.0
"""How long one webhook is served before it is another's turn: with the last request, less than the lease."""

PAUSE: Final = 0.5
"""Seconds between looks when nothing was heard here: other replicas hear as well."""

LAST_SECONDS: Final = 3.0
"""How long a stop waits for requests under way: a cut one is sent twice."""

BACK_AFTER: Final = 5
"""After so many failures in a row a success means that the receiver is back."""

_GONE: Final = 410
_BUSY: Final = frozenset({429, 503})
"""With these a receiver can say for how long (Standard Webhooks; RFC 6585 4, RFC 9110 15.6.4)."""


class Post(Protocol):
    """The one way out; see `portico_runtime.outbound`."""

    async def post(self, url: str, body: bytes, headers: dict[str, str]) -> Taken:
        """Posts a message; the body of the answer is not read.

        Raises:
            OutboundError: when nobody may or does answer.
        """
        ...


@dataclass(slots=True)
class _Round:
    """One turn of a lane.

    Attributes:
        took, refused: how many deliveries the receiver took, and how many it did not.
        asked: seconds the receiver wants to be left alone.
        failure: why it is to be switched off, if it is.
    """

    webhook: Webhook
    ends: float
    took: int = 0
    refused: int = 0
    asked: float = 0.0
    failure: str = ""

    @property
    def over(self) -> bool:
        """It took nothing, or wants to be left alone: asking on would only make it worse."""
        return (self.refused > 0 and not self.took) or self.asked > 0


@dataclass(frozen=True, slots=True)
class Delivering:
    """What the sender works with."""

    webhooks: MongoWebhooks
    orgs: MongoOrgs
    deliveries: Deliveries
    lanes: Lanes
    journal: Journal
    sealer: SecretSealer
    outbound: Post
    clock: Clock


class Sender:
    """Serves the lanes; run `carry` in the background."""

    def __init__(self, parts: Delivering, bell: asyncio.Event) -> None:
        """Makes a sender.

        Args:
            bell: rung when there may be something to send.
        """
        self._parts = parts
        self._bell = bell
        self._serving: set[asyncio.Task[None]] = set()
        self._stopping = False

    async def start(self) -> None:
        """Nothing to begin: `carry` runs in the background."""

    async def close(self) -> None:
        """Begins nothing new, and waits a moment for what is under way."""
        self._stopping = True
        if self._serving:
            await asyncio.wait(self._serving, timeout=LAST_SECONDS)
        for task in self._serving:
            task.cancel()

    async def carry(self) -> None:
        """One round: begins with every lane that is due, then rests until the bell rings.

        Raises:
            ServiceError: `unavailable` when the database cannot be asked.
        """
        self._bell.clear()
        await self.begin_due()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._bell.wait(), PAUSE)

    async def begin_due(self) -> tuple[asyncio.Task[None], ...]:
        """Begins to serve lanes that are due, as many as may be at once.

        Returns:
            what is under way.
        """
        while len(self._serving) < LANES_AT_ONCE and not self._stopping:
            lane = await self._parts.lanes.claim()
            if lane is None:
                break
            task = asyncio.create_task(self._serve(lane))
            self._serving.add(task)
            task.add_done_callback(self._done)
        return tuple(self._serving)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._serving.discard(task)
        self._bell.set()

    async def _serve(self, lane: Lane) -> None:
        try:
            await self._serve_once(lane)
        except ServiceError as error:
            # Its lease runs out, and then it is served again.
            log.warning("webhook not served", webhook=lane.webhook_id, cause=error.text, private=error.private)
        except Exception:  # one webhook must not end the work for all others
            log.exception("webhook not served", webhook=lane.webhook_id)

    async def _serve_once(self, lane: Lane) -> None:
        parts = self._parts
        webhook = await self._find_speaking(lane.webhook_id)
        took: bool | None = None
        if webhook is None:
            mark = await parts.lanes.mark(lane)
            await parts.deliveries.withdraw(lane.webhook_id)
            await parts.lanes.release(replace(lane, failures=0, failing_since=0.0), mark, None, took=None)
            return
        now = _Round(webhook, asyncio.get_running_loop().time() + SLICE_SECONDS)
        await self._send_due(lane, now)
        if now.took or now.refused:
            took = now.took > 0
        mark = await parts.lanes.mark(lane)
        next_time = await parts.deliveries.find_next_time(webhook.id)
        await parts.lanes.release(lane, mark, next_time, took=took, asked=now.asked)
        if now.failure:
            await self._switch_off(now.webhook, now.failure)

    async def _find_speaking(self, id: str) -> Webhook | None:
        """The webhook, while it is active and its organization is there."""
        webhook = await self._parts.webhooks.find(id)
        if webhook is None or webhook.state is not State.ACTIVE:
            return None
        if webhook.of_instance:
            return webhook
        org = await self._parts.orgs.find(webhook.org_id)
        return webhook if org is not None and org.state is not State.DELETED else None

    async def _send_due(self, lane: Lane, now: _Round) -> None:
        while not self._is_over(now):
            waiting = await self._parts.deliveries.list_due(now.webhook.id, BATCH)
            if not waiting:
                return
            objects = iter(waiting)
            workers = (self._work(lane, now, objects) for _ in range(OBJECTS_AT_ONCE))
            results = await asyncio.gather(*workers, return_exceptions=True)
            for result in results:
                if isinstance(result, BaseException):
                    raise result
            # Switched off, removed or sent elsewhere meanwhile?
            webhook = await self._find_speaking(now.webhook.id)
            if webhook is None:
                return
            now.webhook = webhook

    def _is_over(self, now: _Round) -> bool:
        return self._stopping or now.over or bool(now.failure) or asyncio.get_running_loop().time() >= now.ends

    async def _work(self, lane: Lane, now: _Round, objects: Iterator[list[Delivery]]) -> None:
        for deliveries in objects:
            for delivery in deliveries:
                if self._is_over(now):
                    return
                if not await self._send(lane, now, delivery):
                    break  # what comes later about this object waits for it

    async def _send(self, lane: Lane, now: _Round, delivery: Delivery) -> bool:
        attempt, asked = await self._try(now.webhook, delivery)
        now.asked = max(now.asked, asked)
        state = await self._parts.deliveries.settle(delivery, attempt, asked)
        ATTEMPTS.labels("failed" if attempt.cause else "delivered").inc()
        if attempt.cause:
            log.info("webhook failed", webhook=now.webhook.id, delivery=delivery.event_id, cause=attempt.cause)
            now.refused += 1
            if attempt.status == _GONE:
                now.failure = "the receiver wants no more (410)"
            elif state is DeliveryState.GIVEN_UP and not now.took and 0 < lane.failing_since <= delivery.tried:
                now.failure = "the receiver took nothing for three days"
            return False
        if not now.took and lane.failures >= BACK_AFTER:
            await self._parts.deliveries.hurry(now.webhook.id)
        now.took += 1
        return True

    async def _try(self, webhook: Webhook, delivery: Delivery) -> tuple[Attempt, float]:
        """What became of it, and the seconds the receiver wants to be left alone."""
        loop, at = asyncio.get_running_loop(), self._parts.clock.now()
        began, taken, cause = loop.time(), Taken(0), ""
        try:
            secrets = secrets_in_force(webhook, self._parts.sealer, at)
            headers = headers_of(delivery.event_id, delivery.body, secrets, at)
            taken = await self._parts.outbound.post(webhook.url, delivery.body.encode(), headers)
        except OutboundError as error:
            cause = str(error)[:200]
        except CannotUnseal:
            cause = "the secret cannot be unsealed"
        if not cause and not 200 <= taken.status < 300:
            cause = f"status {taken.status}"
        asked = asked_pause(taken.retry_after, self._parts.clock.now()) if taken.status in _BUSY else 0.0
        milliseconds = round((loop.time() - began) * 1000)
        return Attempt(at=at, status=taken.status, milliseconds=milliseconds, cause=cause), asked

    async def _switch_off(self, webhook: Webhook, failure: str) -> None:
        """Deactivates it, which is an event like any other; where somebody changed it meanwhile, not now."""
        with suppress(ServiceError):
            after = msgspec.structs.replace(deactivated(webhook), failure=failure)
            await self._parts.journal.commit((Entry(WEBHOOK_TABLE, webhook, after),))
            SWITCHED_OFF.inc()
            log.warning("webhook switched off", webhook=webhook.id, cause=failure)
            await self._parts.deliveries.withdraw(webhook.id)
