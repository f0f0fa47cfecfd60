"""The carrier of mails when the database fails in between."""

from __future__ import annotations

import asyncio
from email.message import EmailMessage
from typing import Any

from portico_fakes.clock import FrozenClock
from portico_oauth.errors import UNAVAILABLE
from portico_users.notifications.email.dispatcher import Carrier
from portico_users.notifications.email.message import Letter, Template
from portico_users.notifications.email.queue import ClaimedMail

_VALUES = dict.fromkeys(("code", "issuer", "login_name", "organization"), "x")
_LETTER = Letter(template=Template.SIGN_IN_CODE, to="ada@mail.example", language="en", values=_VALUES)


class ShakyMails:
    """A queue with one mail, which cannot be written to a few times once that is sent."""

    def __init__(self, failures: int) -> None:
        self.waiting = [ClaimedMail("one", "ticket", _LETTER, 1, in_time=True)]
        self.failures = failures
        self.settled: list[str] = []

    async def claim(self) -> ClaimedMail | None:
        """The mail, once."""
        return self.waiting.pop() if self.waiting else None

    async def settle(self, mail: ClaimedMail) -> None:
        """Fails as often as it was told to."""
        if self.failures:
            self.failures -= 1
            raise UNAVAILABLE.error(part="mongo")
        self.settled.append(mail.id)


class Sent:
    """A mail server that takes everything."""

    def __init__(self) -> None:
        self.taken: list[EmailMessage] = []

    async def send(self, message: EmailMessage) -> None:
        """Takes it."""
        self.taken.append(message)


async def test_a_sent_mail_is_settled_once_the_database_is_back() -> None:
    """Otherwise it would be sent again when its lease is over: everybody gets one mail (FD-24)."""
    shaky: Any = ShakyMails(failures=3)
    sent, paused = Sent(), []

    async def pause(seconds: float) -> None:
        paused.append(seconds)

    carrier = Carrier(shaky, sent, FrozenClock(), sender="Portico <id@id.example>", bell=asyncio.Event(), pause=pause)
    await carrier.carry_due()

    assert len(sent.taken) == 1
    assert shaky.settled == ["one"]
    assert len(paused) == 3
