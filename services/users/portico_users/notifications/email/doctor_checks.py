from __future__ import annotations

import asyncio
import secrets
import ssl
from collections.abc import AsyncIterator
from email.message import EmailMessage as MimeMessage
from email.utils import format_datetime, localtime
from typing import Final

from aiosmtplib import SMTP
from aiosmtplib.errors import (
    SMTPAuthenticationError,
    SMTPException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
    SMTPTimeoutError,
)
from portico_runtime.doctor.certificate import DAYS_LEFT, days_left
from portico_runtime.doctor.finding import Finding
from portico_runtime.settings.sections.mail import MailSection
from portico_runtime.tls.clients import client_context

from portico_users.notifications.email.message import recipient_of, sender_of
from portico_users.notifications.email.transport import NotNow, SmtpTransport, Undeliverable

_NAME: Final = "mail"
_WHY: Final = "Registration, password resets and emailed codes fail, because no email can be sent."
_WHOLE: Final = 25.0


async def check_mail(settings: MailSection, to: str = "") -> AsyncIterator[Finding]:
    if not settings.smtp_host:
        fix = "Set PORTICO_SMTP_HOST and PORTICO_SMTP_FROM."
        why = "Users cannot register or reset their password."
        yield Finding(_NAME, "warning", "no mail server is configured", fix, why)
        return
    try:
        client = SMTP(
            hostname=settings.smtp_host,
            port=settings.smtp_port,
            timeout=settings.smtp_timeout,
            use_tls=settings.smtp_security == "tls",
            start_tls=False,
            tls_context=client_context(settings.smtp_ca_file),
        )
    except OSError as error:
        fix = "Set it to a PEM file that the service can read."
        yield Finding(_NAME, "wrong", f"PORTICO_SMTP_CA_FILE cannot be read ({type(error).__name__})", fix, _WHY)
        return
    finding = await _within_time(client, settings)
    yield finding
    if to and finding.level != "wrong":
        yield await _send(settings, to)


async def _within_time(client: SMTP, settings: MailSection) -> Finding:
    try:
        async with asyncio.timeout(_WHOLE):
            return await _check_server(client, settings)
    except (SMTPException, OSError, TimeoutError) as error:
        fix = "See its log. PORTICO_SMTP_TIMEOUT limits the time of each response."
        return Finding(_NAME, "wrong", f"the mail server closed the connection ({type(error).__name__})", fix, _WHY)
    finally:
        client.close()


async def _check_server(client: SMTP, settings: MailSection) -> Finding:
    """Connects, encrypts, authenticates and sends the sender address, as `SmtpTransport` does."""
    if refused := await _connect(client, settings) or await _encrypt(client, settings):
        return refused
    if refused := await _log_in(client, settings) or await _name_sender(client, settings):
        return refused
    place = f"{settings.smtp_host}:{settings.smtp_port}"
    certificate = client.get_transport_info("peercert")
    if not certificate:
        fix = (
            "Set PORTICO_SMTP_SECURITY=starttls, or tls with port 465. Use none only for a server on the same machine."
        )
        why = "Codes and links that sign users in are sent in clear text."
        return Finding(_NAME, "warning", f"{place} accepts emails, without TLS", fix, why)
    if (days := days_left(certificate)) < DAYS_LEFT:
        fix = "Renew the certificate of the mail server."
        return Finding(
            _NAME, "warning", f"{place} accepts emails; its certificate expires in {days:.0f} days", fix, _WHY
        )
    login = "authenticated" if settings.smtp_user else "without authentication"
    letters = (
        ""
        if client.supports_extension("smtputf8")
        else "; addresses with non-ASCII characters before the @ are not supported"
    )
    return Finding(_NAME, "ok", f"{place} accepts emails with {settings.smtp_security}, {login}{letters}")


async def _connect(client: SMTP, settings: MailSection) -> Finding | None:
    place = f"{settings.smtp_host}:{settings.smtp_port}"
    try:
        await client.connect()
    except (SMTPException, OSError) as error:
        if isinstance(error.__cause__, ssl.SSLError) or isinstance(error, ssl.SSLError):
            return _untrusted(place)
        fix = "Check PORTICO_SMTP_HOST and PORTICO_SMTP_PORT (587 with starttls, 465 with tls), and that this machine can connect."
        return Finding(_NAME, "wrong", f"{place} does not respond ({type(error).__name__})", fix, _WHY)
    return None


async def _encrypt(client: SMTP, settings: MailSection) -> Finding | None:
    if settings.smtp_security != "starttls":
        return None
    place = f"{settings.smtp_host}:{settings.smtp_port}"
    await client.ehlo()
    if not client.supports_extension("starttls"):
        fix = "Set PORTICO_SMTP_SECURITY=tls and port 465, if the server supports that."
        return Finding(_NAME, "wrong", f"{place} does not offer STARTTLS", fix, _WHY)
    try:
        await client.starttls()
    except (SMTPException, OSError):
        return _untrusted(place)
    return None


def _untrusted(place: str) -> Finding:
    fix = "Set PORTICO_SMTP_HOST to a name in its certificate, and PORTICO_SMTP_CA_FILE if it uses your own certificate authority."
    return Finding(_NAME, "wrong", f"the certificate of {place} is not trusted", fix, _WHY)


async def _log_in(client: SMTP, settings: MailSection) -> Finding | None:
    if not settings.smtp_user:
        return None
    try:
        await client.login(settings.smtp_user, settings.smtp_password.get_secret_value())
    except SMTPAuthenticationError as error:
        fix = "Correct PORTICO_SMTP_USER and PORTICO_SMTP_PASSWORD. Large providers require an app-specific password."
        return Finding(_NAME, "wrong", f"the server rejects the login ({error.code})", fix, _WHY)
    except (SMTPServerDisconnected, SMTPTimeoutError):
        raise
    except SMTPException as error:
        fix = "Leave PORTICO_SMTP_USER empty if the server accepts emails from this machine without authentication. Otherwise enable password authentication on the server."
        return Finding(
            _NAME, "wrong", f"the server offers no supported authentication method ({type(error).__name__})", fix, _WHY
        )
    return None


async def _name_sender(client: SMTP, settings: MailSection) -> Finding | None:
    try:
        await client.mail(sender_of(settings.smtp_from).addr_spec)
        await client.rset()
    except SMTPSenderRefused as error:
        fix = "Set PORTICO_SMTP_FROM to an address that this login may send from."
        return Finding(_NAME, "wrong", f"the server rejects the sender ({error.code})", fix, _WHY)
    return None


async def _send(settings: MailSection, to: str) -> Finding:
    message = MimeMessage()
    sender = sender_of(settings.smtp_from)
    message["From"], message["To"] = sender, recipient_of(to)
    message["Subject"] = "Portico can send emails"
    message["Date"] = format_datetime(localtime())
    message["Message-ID"] = f"<{secrets.token_hex(16)}@{sender.domain}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("An operator sent this email to test whether emails arrive. No action is needed.\n")
    try:
        await SmtpTransport(settings).send(message)
    except (Undeliverable, NotNow) as error:
        return Finding(_NAME, "wrong", f"the server rejected the email ({error})", "See its log for the reason.", _WHY)
    return Finding(_NAME, "ok", "a test email was sent; the log of the mail server shows whether it was delivered")
