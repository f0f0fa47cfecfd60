"""Whether the server takes emails: as far as the sender, so that none is sent unless one is wanted."""

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
from portico_runtime.mail_setting import MailSection

from portico_users.notifications.email.message import recipient_of, sender_of
from portico_users.notifications.email.transport import NotNow, SmtpTransport, Undeliverable

_NAME: Final = "mail"
_WHY: Final = "No code and no link reaches anybody: registering, resetting passwords and emailed codes fail."
_WHOLE: Final = 25.0


async def examine_mail(settings: MailSection, to: str = "") -> AsyncIterator[Finding]:
    """The checks of the settings ``PORTICO_SMTP_…``.

    Args:
        to: where one email is sent; empty for none.
    """
    if not settings.smtp_host:
        fix = "Set PORTICO_SMTP_HOST and PORTICO_SMTP_FROM."
        why = "People cannot register or reset a password by themselves."
        yield Finding(_NAME, "warning", "there is no mail server", fix, why)
        return
    try:
        client = SMTP(
            hostname=settings.smtp_host,
            port=settings.smtp_port,
            timeout=settings.smtp_timeout,
            use_tls=settings.smtp_security == "tls",
            start_tls=False,
            tls_context=ssl.create_default_context(cafile=settings.smtp_ca_file or None),
        )
    except OSError as error:
        fix = "Name a PEM file that the service may read."
        yield Finding(_NAME, "wrong", f"PORTICO_SMTP_CA_FILE cannot be read ({type(error).__name__})", fix, _WHY)
        return
    finding = await _within_time(client, settings)
    yield finding
    if to and finding.level != "wrong":
        yield await _send(settings, to)


async def _within_time(client: SMTP, settings: MailSection) -> Finding:
    try:
        async with asyncio.timeout(_WHOLE):
            return await _examine(client, settings)
    except (SMTPException, OSError, TimeoutError) as error:
        fix = "Its log has why; PORTICO_SMTP_TIMEOUT is the time that each answer may take."
        return Finding(_NAME, "wrong", f"the mail server broke off ({type(error).__name__})", fix, _WHY)
    finally:
        client.close()


async def _examine(client: SMTP, settings: MailSection) -> Finding:
    """Connects, encrypts, signs in, and names the sender, each as `SmtpTransport` would."""
    if refused := await _connect(client, settings) or await _encrypt(client, settings):
        return refused
    if refused := await _log_in(client, settings) or await _name_sender(client, settings):
        return refused
    place = f"{settings.smtp_host}:{settings.smtp_port}"
    certificate = client.get_transport_info("peercert")
    if not certificate:
        fix = "PORTICO_SMTP_SECURITY=starttls, or tls at port 465; without either only at a server of the same machine."
        why = "Codes and links that sign people in can be read on the way."
        return Finding(_NAME, "warning", f"{place} takes emails, unencrypted", fix, why)
    if (days := days_left(certificate)) < DAYS_LEFT:
        fix = "Renew the certificate of the mail server."
        return Finding(
            _NAME, "warning", f"{place} takes emails; its certificate is good for {days:.0f} days", fix, _WHY
        )
    login = "the login is accepted" if settings.smtp_user else "without a login"
    letters = (
        "" if client.supports_extension("smtputf8") else "; letters beyond ASCII before the @ of an address are refused"
    )
    return Finding(_NAME, "ok", f"{place} takes emails by {settings.smtp_security}, {login}{letters}")


async def _connect(client: SMTP, settings: MailSection) -> Finding | None:
    place = f"{settings.smtp_host}:{settings.smtp_port}"
    try:
        await client.connect()
    except (SMTPException, OSError) as error:
        if isinstance(error.__cause__, ssl.SSLError) or isinstance(error, ssl.SSLError):
            return _untrusted(place)
        fix = "Is it PORTICO_SMTP_HOST and PORTICO_SMTP_PORT (587 with starttls, 465 with tls), and may this machine connect?"
        return Finding(_NAME, "wrong", f"{place} gives no answer ({type(error).__name__})", fix, _WHY)
    return None


async def _encrypt(client: SMTP, settings: MailSection) -> Finding | None:
    if settings.smtp_security != "starttls":
        return None
    place = f"{settings.smtp_host}:{settings.smtp_port}"
    await client.ehlo()
    if not client.supports_extension("starttls"):
        fix = "PORTICO_SMTP_SECURITY=tls with port 465, if the server has that; its operator knows."
        return Finding(_NAME, "wrong", f"{place} does not offer STARTTLS", fix, _WHY)
    try:
        await client.starttls()
    except (SMTPException, OSError):
        return _untrusted(place)
    return None


def _untrusted(place: str) -> Finding:
    fix = "PORTICO_SMTP_HOST has to be a name in its certificate; an authority of your own is PORTICO_SMTP_CA_FILE."
    return Finding(_NAME, "wrong", f"the certificate of {place} is not trusted", fix, _WHY)


async def _log_in(client: SMTP, settings: MailSection) -> Finding | None:
    if not settings.smtp_user:
        return None
    try:
        await client.login(settings.smtp_user, settings.smtp_password.get_secret_value())
    except SMTPAuthenticationError as error:
        fix = "Correct PORTICO_SMTP_USER and PORTICO_SMTP_PASSWORD; large providers want a password for this program alone."
        return Finding(_NAME, "wrong", f"the server refuses the login ({error.code})", fix, _WHY)
    except (SMTPServerDisconnected, SMTPTimeoutError):
        raise
    except SMTPException as error:
        fix = "Leave PORTICO_SMTP_USER empty, if the server knows this machine; else it lacks a login by password."
        return Finding(
            _NAME, "wrong", f"the server offers no login that can be used ({type(error).__name__})", fix, _WHY
        )
    return None


async def _name_sender(client: SMTP, settings: MailSection) -> Finding | None:
    try:
        await client.mail(sender_of(settings.smtp_from).addr_spec)
        await client.rset()
    except SMTPSenderRefused as error:
        fix = "PORTICO_SMTP_FROM has to be an address that this login may send from."
        return Finding(_NAME, "wrong", f"the server refuses the sender ({error.code})", fix, _WHY)
    return None


async def _send(settings: MailSection, to: str) -> Finding:
    message = MimeMessage()
    sender = sender_of(settings.smtp_from)
    message["From"], message["To"] = sender, recipient_of(to)
    message["Subject"] = "Portico can send emails"
    message["Date"] = format_datetime(localtime())
    message["Message-ID"] = f"<{secrets.token_hex(16)}@{sender.domain}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("An operator sent this to see whether emails arrive. Nothing is to be done.\n")
    try:
        await SmtpTransport(settings).send(message)
    except (Undeliverable, NotNow) as error:
        return Finding(_NAME, "wrong", f"the server did not take the email ({error})", "Its log has why.", _WHY)
    return Finding(_NAME, "ok", "one email was sent; what became of it is in the log of the server")
