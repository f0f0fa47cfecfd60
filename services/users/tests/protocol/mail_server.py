"""An SMTP server that stores emails, for tests of the sender."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword
from portico_runtime.settings.sections.mail import MailSection
from portico_users.notifications.email.transport import SmtpTransport
from pydantic import SecretStr

SENDER = "Portico <portico@id.example>"


class Postmaster:
    def __init__(self) -> None:
        self.kept: list[Envelope] = []
        self.logins: list[tuple[bytes, bytes]] = []
        self.sender = ""
        self.rcpt = ""
        self.data = "250 kept"
        self.hangs = False

    async def handle_MAIL(self, _server: Any, _session: Any, envelope: Envelope, address: str, _options: Any) -> str:  # noqa: N802
        """The library prescribes the method name."""
        if self.sender:
            return self.sender
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Envelope, address: str, _options: Any) -> str:  # noqa: N802
        """The library prescribes the method name."""
        if self.rcpt:
            return self.rcpt
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Envelope) -> str:  # noqa: N802
        """The library prescribes the method name."""
        if self.hangs:
            await asyncio.Event().wait()
        if self.data.startswith("250"):
            self.kept.append(envelope)
        return self.data

    def login(self, _server: Any, _session: Any, _envelope: Any, _mechanism: str, sent: Any) -> AuthResult:
        assert isinstance(sent, LoginPassword)
        self.logins.append((sent.login, sent.password))
        return AuthResult(success=sent.password == b"swordfish", handled=False)


class Server:
    def __init__(self, postmaster: Postmaster, ca_file: Path, chain: Path) -> None:
        self.postmaster = postmaster
        self.ca_file = ca_file
        self.tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.tls.load_cert_chain(chain)
        self._running: list[asyncio.Server] = []

    async def start(self, *, tls: bool = False, **options: Any) -> int:
        loop = asyncio.get_running_loop()

        def protocol() -> SMTP:
            return SMTP(self.postmaster, hostname="localhost", loop=loop, **options)

        server = await loop.create_server(protocol, "127.0.0.1", 0, ssl=self.tls if tls else None)
        self._running.append(server)
        port: int = server.sockets[0].getsockname()[1]
        return port

    async def start_with_login(self, security: str) -> int:
        """Starts a server that requires authentication.

        Args:
            security: starttls, or tls from the first byte.
        """
        tls = {"tls": True, "auth_require_tls": False} if security == "tls" else {"tls_context": self.tls}
        return await self.start(authenticator=self.postmaster.login, auth_required=True, **tls)

    def settings(self, port: int, security: Any = "none", *, user: str = "", ca_file: str | None = None) -> MailSection:
        return MailSection(
            smtp_host="localhost" if security != "none" else "127.0.0.1",
            smtp_port=port,
            smtp_security=security,
            smtp_ca_file=str(self.ca_file) if ca_file is None else ca_file,
            smtp_user=user,
            smtp_password=SecretStr("swordfish" if user == "portico" else "wrong"),
            smtp_from=SENDER,
        )

    def transport(
        self, port: int, security: Any = "none", *, user: str = "", ca_file: str | None = None
    ) -> SmtpTransport:
        return SmtpTransport(self.settings(port, security, user=user, ca_file=ca_file))

    async def close(self) -> None:
        for server in self._running:
            server.close()
