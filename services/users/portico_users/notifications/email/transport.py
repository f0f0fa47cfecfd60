"""Sends a message to the SMTP server, and classifies its reply."""

from __future__ import annotations

import asyncio
import ssl
from email.message import EmailMessage as MimeMessage
from typing import Final, Protocol

from aiosmtplib import SMTP
from aiosmtplib.errors import (
    SMTPDataError,
    SMTPException,
    SMTPNotSupported,
    SMTPRecipientRefused,
    SMTPRecipientsRefused,
)
from portico_runtime.settings import MailSection

_WHOLE: Final = 25.0
"""Seconds for one message, whatever the server does: below the lease of the queue."""


class Undeliverable(Exception):
    """The server will never accept this message. The text is for the log: no address, no content."""


class NotNow(Exception):
    """The server did not accept the message, and may do so later."""


class Transport(Protocol):
    """Sends messages for the dispatcher."""

    async def send(self, message: MimeMessage) -> None:
        """Returns once the server accepted the message.

        Raises:
            Undeliverable: when trying again cannot help.
            NotNow: when it may.
        """
        ...


class SmtpTransport:
    """Implements `Transport`: one connection a message."""

    def __init__(self, settings: MailSection) -> None:
        self._settings = settings
        # The authorities of a system take a megabyte: read where they are needed.
        is_secured = settings.smtp_security != "none"
        self._tls = ssl.create_default_context(cafile=settings.smtp_ca_file or None) if is_secured else None

    async def send(self, message: MimeMessage) -> None:
        """See `Transport.send`."""
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
            # Connected, what is not supported is an address beyond ASCII (RFC 6531), and that is for ever.
            if state == "sending" and isinstance(error, SMTPNotSupported):
                raise Undeliverable(type(error).__name__) from None
            # The message was accepted, even where QUIT fails.
            if state != "sent":
                raise NotNow(f"{type(error).__name__} while {state}") from None

    def _client(self) -> SMTP:
        settings = self._settings
        return SMTP(
            hostname=settings.smtp_host,
            port=settings.smtp_port,
            username=settings.smtp_user or None,
            password=settings.smtp_password.get_secret_value() or None,
            timeout=settings.smtp_timeout,
            use_tls=settings.smtp_security == "tls",
            start_tls=settings.smtp_security == "starttls",
            tls_context=self._tls,
        )


def _verdict(error: SMTPDataError | SMTPRecipientRefused) -> Exception:
    cause = f"{type(error).__name__} {error.code}"
    return Undeliverable(cause) if error.code >= 500 else NotNow(cause)
