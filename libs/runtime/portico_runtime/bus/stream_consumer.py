"""Fetches events from a durable consumer of the stream, one or one batch at a time over all replicas.

Replicas of two releases share a consumer during an upgrade. It then has the events of both, and one that a replica does
not know is left to the others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec
import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy
from nats.js.errors import Error as StreamError
from nats.js.errors import NotFoundError
from portico_contracts.catalogue import EVENTS
from portico_contracts.context import TRACE_PARENT_HEADER
from portico_contracts.events import STREAM
from portico_contracts.spans import SpanKind, served
from portico_contracts.subjects import Consumer, Event, decode
from portico_oauth.errors import UNAVAILABLE

from portico_runtime.bus.event_stream import EventStream
from portico_runtime.bus.headers import bus_attributes
from portico_runtime.process.clock import SystemClock

log = structlog.get_logger("portico.bus")

TAKE_SECONDS: Final = 10.0
"""Timeout of one fetch, and the pause after the bus was unavailable."""

WORK_SECONDS: Final = 8.0

ACK_SECONDS: Final = 10.0
"""Without an acknowledgement for this long the event is redelivered to another replica."""

AGAIN_SECONDS: Final = 1.0
"""Delay before an event is redelivered whose work failed."""

LEFT_SECONDS: Final = 300.0
"""How long an event that this release does not know waits for a replica of a newer one; all later events wait too."""

REQUEST_SECONDS: Final = 2.0

REST_SECONDS: Final = 0.3
"""Timeout of the fetch of what waits."""

_KNOWN: Final = frozenset(event.subject for event in EVENTS)

Work = Callable[[Event[Any], Any], Awaitable[None]]
"""Processes an event; it may be called repeatedly with the same event id."""

Received = tuple[Event[Any], Any]
"""An event and its body."""

BatchWork = Callable[[Sequence[Received]], Awaitable[None]]
"""Processes several events, of which some may have been processed before."""


class StreamConsumer:
    def __init__(
        self,
        client: Client,
        stream: EventStream,
        consumer: Consumer,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
        rest_seconds: float = REST_SECONDS,
    ) -> None:
        self._client = client
        self._stream = stream
        self._consumer = consumer
        self._pause = pause
        self._rest_seconds = rest_seconds
        self._events = {event.subject: event for event in consumer.events}
        self._subscription: JetStreamContext.PullSubscription | None = None

    async def take(self, work: Work, seconds: float) -> bool:
        messages = await self._fetch(seconds, self._consumer.batch)
        for message in messages:
            await self._work_on(message, work)
        return bool(messages)

    async def take_batch(self, work: BatchWork, seconds: float) -> bool:
        """Waits for an event, then collects further ones for so many ``seconds``, unless a whole batch waits."""
        messages = await self._fetch(TAKE_SECONDS, 1)
        if not messages:
            return False
        try:
            await self._collect(messages, seconds)
            received = [found for message in messages if (found := await self._read(message))]
            if received:
                async with asyncio.timeout(WORK_SECONDS):
                    await work(received)
        except BaseException:
            with suppress(nats.errors.Error):  # the bus may be lost, and then delivers them again
                for message in _open(messages):
                    await message.nak(delay=AGAIN_SECONDS)
            raise
        for message in _open(messages):
            await message.ack()
        return True

    async def _collect(self, messages: list[Msg], seconds: float) -> None:
        """A fetch returns what waits, not what arrives within its timeout, so another one comes after a pause."""
        most = self._consumer.batch
        messages += await self._fetch(self._rest_seconds, most - len(messages))
        if len(messages) < most:
            await self._pause(seconds)
            messages += await self._fetch(self._rest_seconds, most - len(messages))

    async def _fetch(self, seconds: float, most: int) -> list[Msg]:
        try:
            if self._subscription is None:
                self._subscription = await self._subscribe()
            with suppress(TimeoutError):
                return await self._subscription.fetch(most, timeout=seconds)
            return []
        except (nats.errors.Error, StreamError, OSError) as error:
            # The consumer may have been deleted; it is created again before the next fetch.
            await self._forget()
            raise UNAVAILABLE.error(retry_after=1, part="stream", cause=type(error).__name__) from error

    async def _read(self, message: Msg) -> Received | None:
        event = self._events.get(message.subject)
        if event is None:
            await self._leave(message)
            return None
        try:
            return event, decode(message.data, event.body)
        except msgspec.DecodeError:
            # Retrying cannot help, and all later events wait behind it.
            log.error("event not understood", subject=message.subject)
            await message.term()
            return None

    async def _leave(self, message: Msg) -> None:
        """For an event that another release wants from this consumer."""
        if message.subject in _KNOWN:
            await message.ack()  # an older one, which had it handled here
        elif SystemClock.now() - message.metadata.timestamp.timestamp() < LEFT_SECONDS:
            await message.nak(delay=AGAIN_SECONDS)
        else:
            log.error("event not understood", subject=message.subject)
            await message.term()

    async def _subscribe(self) -> JetStreamContext.PullSubscription:
        name = self._consumer.name
        stream = self._client.jetstream(timeout=REQUEST_SECONDS)
        subjects = await self._subjects(stream)
        wanted = ConsumerConfig(
            name=name,
            durable_name=name,
            # If the consumer was lost, events are processed again rather than not at all.
            deliver_policy=DeliverPolicy.ALL,
            ack_policy=AckPolicy.EXPLICIT,
            ack_wait=ACK_SECONDS,
            max_ack_pending=self._consumer.batch,
            filter_subjects=subjects,
        )
        try:
            await stream.add_consumer(STREAM, wanted)
        except NotFoundError:  # the server has lost the stream as well
            await self._stream.ensure()
            await stream.add_consumer(STREAM, wanted)
        return await stream.pull_subscribe_bind(name, STREAM)

    async def _subjects(self, stream: JetStreamContext) -> list[str]:
        """Those of the events, and those that another release has added."""
        try:
            found = (await stream.consumer_info(STREAM, self._consumer.name)).config
        except (NotFoundError, nats.errors.TimeoutError):  # a new one, or permissions of an earlier release
            return list(self._events)
        added = found.filter_subjects or ([found.filter_subject] if found.filter_subject else [])
        return sorted({*self._events, *added})

    async def _forget(self) -> None:
        subscription, self._subscription = self._subscription, None
        if subscription is not None:
            with suppress(nats.errors.Error):
                await subscription.unsubscribe()

    async def _work_on(self, message: Msg, work: Work) -> None:
        received = await self._read(message)
        if received is None:
            return
        event, body = received
        try:
            trace = (message.headers or {}).get(TRACE_PARENT_HEADER, "")
            with served(event.subject, bus_attributes(event.subject), trace, kind=SpanKind.CONSUMER):
                async with asyncio.timeout(WORK_SECONDS):
                    await work(event, body)
        except asyncio.CancelledError:
            await message.nak()
            raise
        except Exception:
            await message.nak(delay=AGAIN_SECONDS)
            raise
        # Not confirmed: if the bus stops now, the event is redelivered in either case.
        await message.ack()


def _open(messages: Sequence[Msg]) -> list[Msg]:
    """Those that are not terminated."""
    return [message for message in messages if not message.is_acked]
