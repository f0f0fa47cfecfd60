from __future__ import annotations

import asyncio
import re
import socket
import ssl
from email.headerregistry import AddressHeader
from email.message import EmailMessage as MimeMessage
from typing import Final, Protocol

from aiosmtplib import SMTP
from aiosmtplib.errors import (
    SMTPDataError,
    SMTPException,
    SMTPNotSupported,
    SMTPRecipientRefused,
    SMTPRecipientsRefused,
    SMTPResponseException,
)
from portico_runtime.settings.sections.mail import MailSection
from portico_runtime.tls.clients import client_context

_WHOLE: Final = 25.0
"""Seconds for one message, below the lease of the queue."""


_MAX_REPLY: Final = 300

_ADDRESS: Final = re.compile(r"<?[^\s<>]+@[^\s<>:;,]+>?")

_OF_THE_SENDER: Final = re.compile(
    r"\b5\.1\.[78]\b|\b5\.7\.(?:0|2[0-9]|60)\b|sender address rejected|not owned by user|relay(?:ing)?\b.*\bdenied",
    re.IGNORECASE,
)
"""Replies that blame recipient or message although sender, login or domain is at fault (RFC 3463, RFC 7372, RFC
7505; Postfix and Exchange): the operator can fix that, and the email waits for it.
"""


class NotSent(Exception):
    """The text is for the log: no address, no content. `reply` has the server's own words, without addresses."""

    def __init__(self, cause: str, reply: str = "") -> None:
        super().__init__(cause)
        self.reply = reply or cause


class Undeliverable(NotSent):
    """The server will never accept this message."""


class NotNow(NotSent):
    """The server did not accept the message but may do so later."""


class Transport(Protocol):
    async def send(self, message: MimeMessage) -> None:
        """Returns once the server has accepted it; raises `Undeliverable` (permanent) or `NotNow` (temporary)."""
        ...


class SmtpTransport:
    """Implements `Transport` with one connection per message."""

    def __init__(
        self, settings: MailSection, *, connected: socket.socket | None = None, tls: ssl.SSLContext | None = None
    ) -> None:
        """``connected`` is a connection to a checked address, for a single message."""
        self._settings = settings
        self._connected = connected
        # The system's trust store takes a megabyte, so load it only if needed.
        is_secured = settings.smtp_security != "none"
        if is_secured and tls is None:
            tls = client_context(settings.smtp_ca_file)
        self._tls = tls if is_secured else None

    async def send(self, message: MimeMessage) -> None:
        state = "connecting"
        try:
            async with asyncio.timeout(_WHOLE), self._client() as server:
                state = "sending"
                await server.send_message(message)
                state = "sent"
        except SMTPRecipientsRefused as error:
            raise _verdict(error.recipients[0]) from None
        except (SMTPDataError, SMTPRecipientRefused) as error:
            raise _verdict(error) from None
        except (SMTPException, OSError, TimeoutError) as error:
            # Unsupported here means a non-ASCII address (RFC 6531): a permanent failure unless it is the sender's.
            if state == "sending" and isinstance(error, SMTPNotSupported) and _is_ascii(message["From"]):
                raise Undeliverable("the server takes no address with letters beyond ASCII before the @") from None
            # The message was accepted even if QUIT fails.
            if state != "sent":
                raise NotNow(f"{type(error).__name__} while {state}", _reply(error)) from None

    def _client(self) -> SMTP:
        settings = self._settings
        return SMTP(
            hostname=settings.smtp_host,
            port=None if self._connected else settings.smtp_port,
            sock=self._connected,
            username=settings.smtp_user or None,
            password=settings.smtp_password.get_secret_value() or None,
            timeout=settings.smtp_timeout,
            use_tls=settings.smtp_security == "tls",
            start_tls=settings.smtp_security == "starttls",
            tls_context=self._tls,
        )


def _is_ascii(header: AddressHeader) -> bool:
    return all(address.addr_spec.isascii() for address in header.addresses)


def _verdict(error: SMTPDataError | SMTPRecipientRefused) -> Exception:
    cause = f"{type(error).__name__} {error.code}"
    if _OF_THE_SENDER.search(error.message):
        return NotNow(f"{cause}, because of the sender", _reply(error))
    return Undeliverable(cause, _reply(error)) if error.code >= 500 else NotNow(cause, _reply(error))


def _reply(error: Exception) -> str:
    """Returns one printable line."""
    text = f"{error.code} {error.message}" if isinstance(error, SMTPResponseException) else str(error)
    line = "".join(letter for letter in " ".join(text.split()) if letter.isprintable())
    return _ADDRESS.sub("…", line)[:_MAX_REPLY]
