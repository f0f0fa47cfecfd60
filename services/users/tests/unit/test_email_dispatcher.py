from __future__ import annotations

from email.message import EmailMessage as MimeMessage
from typing import Any

from portico_fakes.clock import FrozenClock
from portico_oauth.errors import UNAVAILABLE
from portico_runtime.process.wakeup import Wakeup
from portico_users.notifications.email.dispatcher import EmailDispatcher, MailServer
from portico_users.notifications.email.message import EmailMessage, EmailTemplate
from portico_users.notifications.email.queue import ClaimedEmail

_VALUES = dict.fromkeys(("code", "issuer", "login_name", "organization"), "x")
_MESSAGE = EmailMessage(
    template=EmailTemplate.SIGN_IN_CODE, to="ada@mail.example", language="en", values=_VALUES, org_id="", user_id=""
)


class UnreliableEmails:
    def __init__(self, failures: int) -> None:
        self.waiting = [ClaimedEmail("one", "ticket", _MESSAGE, 1, in_time=True)]
        self.failures = failures
        self.settled: list[str] = []

    async def claim(self, without: tuple[str, ...]) -> ClaimedEmail | None:
        return self.waiting.pop() if self.waiting else None

    async def settle(self, mail: ClaimedEmail, *, delivered: bool) -> None:
        if self.failures:
            self.failures -= 1
            raise UNAVAILABLE.error(part="mongo")
        self.settled.append(mail.id)


class Sent:
    def __init__(self) -> None:
        self.taken: list[MimeMessage] = []

    async def send(self, message: MimeMessage) -> None:
        self.taken.append(message)


class Unread:
    async def delivered(self, *, always: bool) -> None:
        pass


async def test_sent_email_is_settled_after_an_outage() -> None:
    """Otherwise it would be sent again when its lease expires: every recipient gets one email (FD-24)."""
    shaky: Any = UnreliableEmails(failures=3)
    unread: Any = Unread()
    sent, paused = Sent(), []

    async def pause(seconds: float) -> None:
        paused.append(seconds)

    email_dispatcher = EmailDispatcher(
        shaky,
        unread,
        FrozenClock(),
        server=MailServer(sent, "Portico <id@id.example>"),
        own_senders=None,
        wakeup=Wakeup(),
        pause=pause,
    )
    await email_dispatcher.send_due()

    assert len(sent.taken) == 1
    assert shaky.settled == ["one"]
    assert len(paused) == 3
