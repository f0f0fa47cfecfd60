"""An organization's own SMTP server: its address is checked, because the organization chooses it (IP-03)."""

from __future__ import annotations

import asyncio
import socket
import ssl
from email.message import EmailMessage as MimeMessage
from typing import Final

from portico_oauth.master_keys import UnsealingFailed
from portico_runtime.http_client.addresses import OutboundError
from portico_runtime.http_client.outbound import Resolve, open_socket
from portico_runtime.settings.sections.mail import MailSection
from portico_runtime.tls.clients import client_context

from portico_users.identity_providers.secrets import SecretSealer
from portico_users.notifications.email.transport import NotNow, SmtpTransport
from portico_users.notifications.senders.secrets import password_of
from portico_users.notifications.senders.sender import Sender
from portico_users.webhooks.rules import Allowed

_SECONDS: Final = 5.0
"""To connect, and for each response."""


class OwnSmtp:
    def __init__(self, resolve: Resolve, allowed: Allowed, ca_file: str, sealer: SecretSealer) -> None:
        self._resolve = resolve
        self._allowed = allowed
        self._ca_file = ca_file
        self._sealer = sealer
        self._tls: ssl.SSLContext | None = None

    async def send(self, sender: Sender, message: MimeMessage) -> None:
        """Raises `Undeliverable` or `NotNow`, as a `Transport`."""
        try:
            password = password_of(sender, self._sealer)
        except UnsealingFailed:
            raise NotNow("the password of the mail server cannot be decrypted") from None
        settings = MailSection(
            smtp_host=sender.smtp_host,
            smtp_port=sender.smtp_port,
            smtp_security=sender.smtp_security,
            smtp_user=sender.smtp_user,
            smtp_password=password,
            smtp_timeout=_SECONDS,
            smtp_from=sender.from_address,
        )
        tls = await self._find_context() if sender.smtp_security != "none" else None
        await SmtpTransport(settings, connected=await self._connect(sender), tls=tls).send(message)

    async def _find_context(self) -> ssl.SSLContext:
        if self._tls is None:  # the system's authorities take 40 ms to read
            self._tls = await asyncio.to_thread(client_context, self._ca_file)
        return self._tls

    async def _connect(self, sender: Sender) -> socket.socket:
        try:
            async with asyncio.timeout(_SECONDS):
                return await open_socket(sender.smtp_host, sender.smtp_port, self._resolve, self._allowed)
        except OutboundError as error:
            raise NotNow(f"the mail server cannot be used: {error}") from None
        except OSError as error:
            raise NotNow(f"{type(error).__name__} while connecting") from None
