from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from email.message import EmailMessage as MimeMessage
from typing import Final

import structlog
from portico_contracts.users import Branding
from portico_oauth.errors import ServiceError
from portico_runtime.clock import Clock
from portico_runtime.wakeup import SWEEP_SECONDS, Wakeup
from prometheus_client.metrics import Counter, Gauge

from portico_users.notifications.email.delivery_record import DeliveryRecord
from portico_users.notifications.email.message import PLAIN, EmailTemplate, mime_of, sender_of
from portico_users.notifications.email.queue import ClaimedEmail, EmailQueue
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


Brandings = Callable[[str], Awaitable[Branding]]


async def _plain(_org_id: str) -> Branding:
    return PLAIN


class EmailDispatcher:
    """Sends pending emails; run `run_once` in the background."""

    def __init__(
        self,
        email_queue: EmailQueue,
        record: DeliveryRecord,
        transport: Transport,
        clock: Clock,
        *,
        sender: str,
        wakeup: Wakeup,
        brandings: Brandings = _plain,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._email_queue = email_queue
        self._record = record
        self._transport = transport
        self._clock = clock
        self._sender = sender_of(sender)
        self._wakeup = wakeup
        self._brandings = brandings
        self._pause = pause
        self._sending: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        if self._sending:
            await asyncio.wait(self._sending, timeout=LAST_SECONDS)

    async def run_once(self) -> None:
        """Sends what is due, then waits for an email of this replica or the next attempt."""
        await self.send_due()
        next_time = await self._email_queue.find_next_time()
        WAITING.set(0 if next_time is None else await self._email_queue.count_waiting())
        await self._wakeup.wait(SWEEP_SECONDS if next_time is None else next_time - self._clock.now())

    async def send_due(self) -> None:
        first = await self._email_queue.claim()
        if first is None:  # nearly every look, so that looking is one question
            return
        others = (self._work() for _ in range(AT_ONCE - 1))
        results = await asyncio.gather(self._work(first), *others, return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result

    async def _work(self, first: ClaimedEmail | None = None) -> None:
        if first:
            await self._carry(first)
        while email := await self._email_queue.claim():
            await self._carry(email)

    async def _carry(self, email: ClaimedEmail) -> None:
        sending = asyncio.create_task(self._send(email))
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)
        # Cancelling the task does not abort an email in transmission.
        await asyncio.shield(sending)

    async def _send(self, email: ClaimedEmail) -> None:
        try:
            mime = await self._mime_of(email)
            await self._transmit(email, mime)
        except NotNow as reason:
            FAILED.inc()
            log.warning("email not sent yet", email=email.id, attempts=email.attempts, cause=str(reason))
            await self._email_queue.put_back(email)
        except Undeliverable as reason:
            GIVEN_UP.inc()
            log.error("email given up", email=email.id, attempts=email.attempts, cause=str(reason))
            # The record of deliveries has the result of a test.
            await (self._settle(email) if _is_test(email) else self._email_queue.give_up(email, str(reason)))
        else:
            SENT.inc()
            await self._settle(email)

    async def _mime_of(self, email: ClaimedEmail) -> MimeMessage:
        if email.message is None:
            raise Undeliverable("cannot be unsealed")
        if not email.in_time:
            raise Undeliverable("too late")
        branding = await self._find_branding(email.message.org_id)
        try:
            return mime_of(email.message, id=email.id, sender=self._sender, now=self._clock.now(), branding=branding)
        except ValueError:
            raise Undeliverable("no message can be made of it") from None

    async def _transmit(self, email: ClaimedEmail, mime: MimeMessage) -> None:
        """Records the result of a test always: a user looks at it."""
        is_test = _is_test(email)
        try:
            await self._transport.send(mime)
        except NotSent as reason:
            await self._record.failed(reason.reply if is_test else str(reason), always=is_test)
            raise
        await self._record.delivered(always=is_test)

    async def _find_branding(self, org_id: str) -> Branding:
        try:
            return await self._brandings(org_id)
        except ServiceError:  # an email without a logo is better than none
            return PLAIN

    async def _settle(self, email: ClaimedEmail) -> None:
        """Retries until recorded: otherwise a sent email would be sent again after its lease."""
        while True:
            try:
                return await self._email_queue.settle(email)
            except ServiceError:
                log.warning("sent email not recorded yet", email=email.id)
            await self._pause(SETTLE_PAUSE)


def _is_test(email: ClaimedEmail) -> bool:
    return email.message is not None and email.message.template is EmailTemplate.TEST
