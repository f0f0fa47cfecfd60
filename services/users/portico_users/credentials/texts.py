"""Whether a text message may be sent, and by which sender; what may is enqueued by `texts.queue`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NewType

from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.opaque import fingerprint

from portico_users.credentials.attempts.attempts import Attempts
from portico_users.credentials.attempts.backoff import BackoffPolicy
from portico_users.notifications.email.delivery_record import DeliveryRecord
from portico_users.notifications.email.queue import EmailQueue
from portico_users.notifications.senders.allowance import Allowance
from portico_users.notifications.senders.choice import SenderChoice
from portico_users.notifications.senders.limit_notices import LimitNotices
from portico_users.notifications.senders.sender import Sender

TextQueue = NewType("TextQueue", EmailQueue)
"""The queue of emails, which is there without a mail server too."""

NO_TEXT_MESSAGES = ErrorCode(
    "USER-404",
    Kind.FAILED_PRECONDITION,
    "No SMS provider is configured.",
    "Request the code with returnCode, and send it yourself. Or ask an administrator to set up a sender of text "
    "messages.",
)
PREFIX_NOT_ALLOWED = ErrorCode(
    "USER-160",
    Kind.FAILED_PRECONDITION,
    "Text messages are not sent to this country.",
    "Use another number, or ask an administrator to allow the prefix of this one.",
)
TOO_MANY_TO_NUMBER = ErrorCode(
    "USER-161",
    Kind.TOO_MANY_REQUESTS,
    "Too many text messages were sent to this number.",
    "Look for the message that was already sent, or wait for the number of seconds in Retry-After.",
)
TOO_MANY_OF_USER = ErrorCode(
    "USER-162",
    Kind.TOO_MANY_REQUESTS,
    "Too many text messages were requested for this user.",
    "Wait for the number of seconds in Retry-After.",
)

NUMBER_BACKOFF: Final = BackoffPolicy(free_attempts=4, initial_delay=60.0, max_delay=14_400.0, error=TOO_MANY_TO_NUMBER)
"""For text messages to one number, across all requesters: five, then one after a delay that grows to four hours."""

USER_BACKOFF: Final = BackoffPolicy(free_attempts=9, initial_delay=60.0, max_delay=14_400.0, error=TOO_MANY_OF_USER)
"""For text messages of one user to any number, who could otherwise make the organization pay with many numbers."""


@dataclass(frozen=True, slots=True)
class Texts:
    choice: SenderChoice
    attempts: Attempts
    allowance: Allowance
    notices: LimitNotices
    record: DeliveryRecord
    queue: TextQueue | None

    async def has_sender(self, org_id: str) -> bool:
        """Reports whether users of an organization, or of any (empty), can get text messages."""
        return self.queue is not None and await self.choice.has_for_text(org_id)

    async def can_send(self, org_id: str, user_id: str) -> bool:
        return self.queue is not None and await self.choice.find_for_text(org_id, user_id) is not None

    async def is_delayed(self, org_id: str, user_id: str) -> bool:
        """Reports whether the sender did not accept the last message: pages then offer another way."""
        sender = await self.choice.find_for_text(org_id, user_id)
        return sender is None or bool((await self.record.find(sender.id)).current_failure)

    async def reserve(self, to: str, *, org_id: str, user_id: str) -> TextQueue:
        """Counts a message and returns the queue for it.

        Raises USER-404 without a sender, USER-160 for a number that is not allowed, and USER-161, USER-162 or
        USER-163 above a limit.
        """
        sender = await self.choice.find_for_text(org_id, user_id)
        if sender is None or self.queue is None:
            raise NO_TEXT_MESSAGES.error(org=org_id)
        await self.count(sender, to, org_id=org_id, user_id=user_id)
        return self.queue

    async def count(self, sender: Sender, to: str, *, org_id: str, user_id: str) -> None:
        """Raises as `reserve`. A message that is refused because of one limit does not count for the others."""
        if not to.startswith(sender.allowed_prefixes):
            raise PREFIX_NOT_ALLOWED.error(org=org_id)
        # The user first: one above the own limit takes no place of a number, not even until it is given back.
        limits = (
            (f"texts:user:{fingerprint(user_id)}", USER_BACKOFF),
            (f"texts:number:{fingerprint(to)}", NUMBER_BACKOFF),
        )
        reserved: dict[str, int] = {}
        try:
            for counter, policy in limits:
                reserved[counter] = await self.attempts.reserve(counter, policy)
            is_last = await self.allowance.take(org_id, sender)
        except ServiceError as error:
            if error.kind is Kind.TOO_MANY_REQUESTS:
                for counter, failures in reserved.items():
                    await self.attempts.give_back(counter, failures)
            raise
        if is_last:
            await self.notices.limit_reached(org_id, sender)
