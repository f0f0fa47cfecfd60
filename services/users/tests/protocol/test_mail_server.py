"""Emails over real SMTP: plain, STARTTLS and TLS, and failing servers."""

from __future__ import annotations

import asyncio
from email import message_from_bytes
from email.message import EmailMessage as MimeMessage
from email.policy import default

import pytest
from portico_runtime.settings.sections.mail import MailSection
from portico_users.notifications.email.message import EmailMessage, EmailTemplate, mime_of, sender_of
from portico_users.notifications.email.transport import NotNow, NotSent, SmtpTransport, Undeliverable

from .mail_server import SENDER, Server


def mail(to: str = "eve@mail.example", language: str = "ar", sender: str = SENDER) -> MimeMessage:
    values = {"organization": "Acme", "issuer": "https://id.example", "code": "K7PQ2M", "login_name": ""}
    message = EmailMessage(
        template=EmailTemplate.VERIFY_EMAIL, to=to, language=language, values=values, org_id="", user_id=""
    )
    return mime_of(message, id="abc", sender=sender_of(sender), now=1_790_000_000)


async def test_email_arrives_as_it_was_written(server: Server) -> None:
    """Envelope, headers and Arabic text arrive unchanged in both parts."""
    await server.transport(await server.start()).send(mail())
    [envelope] = server.postmaster.kept
    assert isinstance(envelope.content, bytes)
    read = message_from_bytes(envelope.content, policy=default)
    body = read.get_body(("plain",))

    assert (envelope.mail_from, envelope.rcpt_tos) == ("portico@id.example", ["eve@mail.example"])
    assert read["Subject"] == mail()["Subject"]
    assert body is not None
    assert "K7PQ2M" in body.get_content()
    assert "ساعة" in body.get_content()


async def test_non_ascii_recipient(server: Server) -> None:
    """A non-ASCII domain works with every server; a non-ASCII local part needs SMTPUTF8 (RFC 6531) and otherwise
    fails for good.
    """
    able = await server.start(enable_SMTPUTF8=True)
    unable = await server.start(enable_SMTPUTF8=False)
    await server.transport(able).send(mail("ève@mäil.example"))
    await server.transport(unable).send(mail("eve@mäil.example"))
    with pytest.raises(Undeliverable, match="beyond ASCII"):
        await server.transport(unable).send(mail("ève@mäil.example"))

    recipients = [envelope.rcpt_tos for envelope in server.postmaster.kept]
    assert recipients == [["ève@xn--mil-qla.example"], ["eve@xn--mil-qla.example"]]


async def test_non_ascii_sender_without_smtputf8_is_retried(server: Server) -> None:
    """Without SMTPUTF8 the operator's sender address is at fault, so the email waits."""
    unable = await server.start(enable_SMTPUTF8=False)
    with pytest.raises(NotNow):
        await server.transport(unable).send(mail(sender="Portico <größe@id.example>"))


@pytest.mark.filterwarnings("ignore:Requiring AUTH")  # the library does not see that the whole connection is TLS
@pytest.mark.parametrize("security", ["starttls", "tls"])
async def test_tls_with_login(server: Server, security: str) -> None:
    """The certificate is verified with the configured authority before the password is sent."""
    port = await server.start_with_login(security)
    await server.transport(port, security, user="portico").send(mail())
    with pytest.raises(NotNow):
        await server.transport(port, security, user="stranger").send(mail())

    assert len(server.postmaster.kept) == 1
    assert set(server.postmaster.logins) == {(b"portico", b"swordfish"), (b"stranger", b"wrong")}


@pytest.mark.parametrize("security", ["starttls", "tls"])
async def test_untrusted_server_gets_nothing(server: Server, security: str) -> None:
    """Neither email nor password is sent; the operator can fix that, so the email waits."""
    tls = {"tls": True} if security == "tls" else {"tls_context": server.tls}
    port = await server.start(authenticator=server.postmaster.login, **tls)
    with pytest.raises(NotNow):
        await server.transport(port, security, user="portico", ca_file="").send(mail())

    assert server.postmaster.kept == []
    assert server.postmaster.logins == []


async def test_server_without_tls_gets_nothing(server: Server) -> None:
    """STARTTLS is required, so that an attacker on the network cannot remove it from the greeting."""
    port = await server.start()
    with pytest.raises(NotNow):
        await server.transport(port, "starttls").send(mail())

    assert server.postmaster.kept == []


@pytest.mark.parametrize(
    ("stage", "answer", "verdict"),
    [
        ("rcpt", "550 5.1.1 no such mailbox", Undeliverable),
        ("rcpt", "450 4.2.0 greylisted", NotNow),
        ("data", "554 5.7.1 refused", Undeliverable),
        ("data", "452 4.3.1 no space", NotNow),
        ("rcpt", "553 5.7.1 <portico@id.example>: Sender address rejected: not owned by user portico", NotNow),
        ("rcpt", "550 5.1.8 <portico@id.example>: Sender address rejected: Domain not found", NotNow),
        ("rcpt", "554 5.7.1 <eve@mail.example>: Relay access denied", NotNow),
        ("data", "550 5.7.60 SMTP; Client does not have permissions to send as this sender", NotNow),
        ("data", "550 5.7.26 This mail is unauthenticated", NotNow),
    ],
)
async def test_replies_are_classified(server: Server, stage: str, answer: str, verdict: type[NotSent]) -> None:
    """5xx about recipient or message is permanent; 4xx and errors of the sender are temporary (RFC 5321 §4.2.1)."""
    setattr(server.postmaster, stage, answer)
    with pytest.raises(verdict) as refused:
        await server.transport(await server.start()).send(mail())

    assert answer[:3] in str(refused.value)
    assert "mail.example" not in str(refused.value)
    assert refused.value.reply.startswith(answer[:9])
    assert "@" not in refused.value.reply


async def test_hanging_server_times_out(server: Server) -> None:
    """The timeout for a server that does not reply is that of the settings."""
    server.postmaster.hangs = True
    settings = server.settings(await server.start()).model_copy(update={"smtp_timeout": 0.05})
    with pytest.raises(NotNow):
        await SmtpTransport(settings).send(mail())


async def test_refused_connection_is_retried() -> None:
    """An email whose connection was refused is retried later."""
    settings = MailSection(smtp_host="127.0.0.1", smtp_port=1, smtp_security="none", smtp_from=SENDER)
    with pytest.raises(NotNow):
        await SmtpTransport(settings).send(mail())


@pytest.mark.parametrize("goodbye", [b"", b"421 busy\r\n", b"\xff\xfe nonsense\r\n"])
async def test_email_is_sent_even_if_quit_fails(goodbye: bytes) -> None:
    """After the email was accepted, a failing QUIT does not cause a second attempt."""
    scripted = {b"EHLO": b"250 hello", b"MAIL": b"250 ok", b"RCPT": b"250 ok", b"DATA": b"354 go on"}

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 hello\r\n")
        while line := await reader.readline():
            command = line[:4].upper()
            if command == b"QUIT":
                writer.write(goodbye)
                break
            writer.write(scripted[command] + b"\r\n")
            if command == b"DATA":
                await reader.readuntil(b"\r\n.\r\n")
                writer.write(b"250 taken\r\n")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        settings = MailSection(
            smtp_host="127.0.0.1",
            smtp_port=server.sockets[0].getsockname()[1],
            smtp_security="none",
            smtp_from=SENDER,
            smtp_timeout=1,
        )
        await SmtpTransport(settings).send(mail())  # raises nothing

    assert not server.is_serving()
