from __future__ import annotations

import asyncio
from collections import Counter as Tally
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from email.message import EmailMessage as MimeMessage
from functools import partial
from typing import Final, Protocol

import structlog
from portico_oauth.errors import ServiceError
from portico_runtime.process.clock import Clock
from portico_runtime.process.wakeup import SWEEP_SECONDS, Wakeup
from prometheus_client.metrics import Counter, Gauge

from portico_users.notifications.email.delivery_record import DeliveryRecord
from portico_users.notifications.email.message import (
    PLAIN,
    EmailBranding,
    EmailMessage,
    EmailTemplate,
    mime_of,
    sender_of,
)
from portico_users.notifications.email.queue import ClaimedEmail, EmailQueue, Queued, lane_of
from portico_users.notifications.email.transport import NotNow, NotSent, Transport, Undeliverable

log = structlog.get_logger("portico.mail")

SENT = Counter("portico_emails_sent_total", "Emails accepted by the SMTP server.")
FAILED = Counter("portico_email_attempts_failed_total", "Failed attempts to send an email. They are retried.")
GIVEN_UP = Counter("portico_emails_given_up_total", "Emails given up after the last retry. The log has the reason.")
WAITING = Gauge("portico_emails_waiting", "Emails waiting to be sent, counted up to 1000.")

AT_ONCE: Final = 4

SETTLE_PAUSE: Final = 0.2
"""Seconds between attempts to record that an email was sent."""

LAST_SECONDS: Final = 3.0
"""How long a shutdown waits for emails in transmission, which would be sent twice if aborted."""


OWN_AT_ONCE: Final = 2
"""Messages that a replica sends at once by one sender; a slow one delays no other."""

Brandings = Callable[[str], Awaitable[EmailBranding]]


async def _plain(_org_id: str) -> EmailBranding:
    return PLAIN


@dataclass(frozen=True, slots=True)
class MailServer:
    """The mail server of the instance; ``sender`` is the address in From."""

    transport: Transport
    sender: str


class OwnSender(Protocol):
    """Sends messages instead of the mail server of the instance."""

    @property
    def id(self) -> str: ...

    async def send(self, id: str, message: Queued, branding: EmailBranding) -> None:
        """Raises as `Transport`."""
        ...


class OwnSenders(Protocol):
    async def find(self, message: Queued) -> OwnSender | None:
        """Returns None for the mail server of the instance."""
        ...


class EmailDispatcher:
    """Sends pending emails and text messages; run `run_once` in the background."""

    def __init__(
        self,
        email_queue: EmailQueue,
        record: DeliveryRecord,
        clock: Clock,
        *,
        server: MailServer | None,
        own_senders: OwnSenders | None,
        wakeup: Wakeup,
        brandings: Brandings = _plain,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._email_queue = email_queue
        self._record = record
        self._clock = clock
        self._server = server
        self._own_senders = own_senders
        self._wakeup = wakeup
        self._brandings = brandings
        self._pause = pause
        self._workers: set[asyncio.Task[None]] = set()
        self._sending: set[asyncio.Task[None]] = set()
        self._lanes: dict[str, str] = {}
        """The sender that each waiting lane waits for."""
        self._in_flight: Tally[str] = Tally()

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        for worker in self._workers:
            worker.cancel()
        if self._sending:
            await asyncio.wait(self._sending, timeout=LAST_SECONDS)

    async def run_once(self) -> None:
        """Begins what is due, then waits for an email of this replica, a worker that ends, or the next attempt."""
        await self._begin_due()
        next_time = await self._email_queue.find_next_time(tuple(self._lanes))
        WAITING.set(0 if next_time is None else await self._email_queue.count_waiting())
        is_full = len(self._workers) == AT_ONCE
        await self._wakeup.wait(SWEEP_SECONDS if next_time is None or is_full else next_time - self._clock.now())

    async def send_due(self) -> None:
        await self._begin_due()
        while self._workers:
            await asyncio.wait(self._workers)
            await self._begin_due()

    async def _begin_due(self) -> None:
        """Does not wait for the workers: one with a slow email delays no other. Raises what has ended one."""
        for worker in [one for one in self._workers if one.done()]:
            self._workers.remove(worker)
            worker.result()
        while len(self._workers) < AT_ONCE and (first := await self._claim()):
            worker = asyncio.create_task(self._work(first))
            worker.add_done_callback(lambda _ended: self._wakeup.set())
            self._workers.add(worker)

    async def finish(self) -> None:
        """Waits until the messages that were begun are sent or put back."""
        while self._sending:
            await asyncio.wait(self._sending)

    async def _claim(self) -> ClaimedEmail | None:
        return await self._email_queue.claim(tuple(self._lanes))

    async def _work(self, first: ClaimedEmail) -> None:
        await self._carry(first)
        while email := await self._claim():
            await self._carry(email)

    async def _carry(self, email: ClaimedEmail) -> None:
        message = email.message
        sender = await self._own_senders.find(message) if message and self._own_senders else None
        if sender and message:
            await self._carry_by(sender, email, message)
            return
        # Cancelling the task does not abort an email in transmission.
        await asyncio.shield(self._begin(self._send(email, self._transmit)))

    async def _carry_by(self, sender: OwnSender, email: ClaimedEmail, message: Queued) -> None:
        """Goes on while the sender works: it may be slow, and other messages do not wait for it."""
        if self._in_flight[sender.id] >= OWN_AT_ONCE:
            self._lanes[lane_of(message)] = sender.id
            await self._email_queue.put_back(email, pause=0.0)
            return
        self._in_flight[sender.id] += 1
        task = self._begin(self._send(email, partial(self._transmit_by, sender)))
        task.add_done_callback(partial(self._leave, sender.id))

    def _begin(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)
        return task

    def _leave(self, sender_id: str, task: asyncio.Task[None]) -> None:
        self._in_flight[sender_id] -= 1
        if not self._in_flight[sender_id]:
            del self._in_flight[sender_id]
        waiting = [lane for lane, of in self._lanes.items() if of == sender_id]
        for lane in waiting:
            del self._lanes[lane]
        if waiting:
            self._wakeup.set()
        if not task.cancelled() and (error := task.exception()):
            # The message is sent after its lease.
            log.warning("email not sent yet", cause=type(error).__name__)

    async def _send(self, email: ClaimedEmail, transmit: Callable[[ClaimedEmail], Awaitable[None]]) -> None:
        try:
            if email.message is None:
                raise Undeliverable("cannot be unsealed")
            if not email.in_time:
                raise Undeliverable("too late")
            await transmit(email)
        except NotNow as reason:
            FAILED.inc()
            log.warning("email not sent yet", email=email.id, attempts=email.attempts, cause=str(reason))
            await self._email_queue.put_back(email)
        except Undeliverable as reason:
            GIVEN_UP.inc()
            log.error("email given up", email=email.id, attempts=email.attempts, cause=str(reason))
            # The record of deliveries has the result of a test.
            await (
                self._settle(email, delivered=False)
                if _is_test(email)
                else self._email_queue.give_up(email, str(reason))
            )
        else:
            SENT.inc()
            await self._settle(email, delivered=True)

    async def _transmit_by(self, sender: OwnSender, email: ClaimedEmail) -> None:
        if email.message:
            await sender.send(email.id, email.message, await self._find_branding(email.message.org_id))

    async def _transmit(self, email: ClaimedEmail) -> None:
        """Records the result of a test always: a user looks at it."""
        if self._server is None or not isinstance(email.message, EmailMessage):
            raise NotNow("no sender is configured")
        mime = await self._mime_of(email.id, email.message, self._server)
        is_test = _is_test(email)
        try:
            await self._server.transport.send(mime)
        except NotSent as reason:
            await self._record.failed(reason.reply if is_test else str(reason), always=is_test)
            raise
        await self._record.delivered(always=is_test)

    async def _mime_of(self, id: str, message: EmailMessage, server: MailServer) -> MimeMessage:
        branding, sender = await self._find_branding(message.org_id), sender_of(server.sender)
        try:
            return mime_of(message, id=id, sender=sender, now=self._clock.now(), branding=branding)
        except ValueError:
            raise Undeliverable("no message can be made of it") from None

    async def _find_branding(self, org_id: str) -> EmailBranding:
        try:
            return await self._brandings(org_id)
        except ServiceError:  # an email without a logo is better than none
            return PLAIN

    async def _settle(self, email: ClaimedEmail, *, delivered: bool) -> None:
        """Retries until recorded: otherwise a sent email would be sent again after its lease."""
        while True:
            try:
                return await self._email_queue.settle(email, delivered=delivered)
            except ServiceError:
                log.warning("sent email not recorded yet", email=email.id)
            await self._pause(SETTLE_PAUSE)


def _is_test(email: ClaimedEmail) -> bool:
    message = email.message
    if isinstance(message, EmailMessage):
        return message.template is EmailTemplate.TEST
    return message is not None and bool(message.sender_id)
