"""The doctor's checks of real mail servers with one fault each; an email is sent only on request."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from portico_runtime.doctor.finding import Finding, as_lines
from portico_runtime.settings.sections.mail import MailSection
from portico_users.notifications.email.doctor_checks import check_mail

from .mail_server import Server


async def gathered(findings: AsyncIterator[Finding]) -> list[Finding]:
    """Checks that each problem has a fix, and that no finding contains a secret."""
    found = [finding async for finding in findings]
    assert all(finding.fix and finding.why for finding in found if finding.level != "ok")
    assert "swordfish" not in "".join(as_lines(finding) for finding in found)
    return found


@pytest.mark.filterwarnings("ignore:Requiring AUTH")  # the library does not see that the whole connection is TLS
@pytest.mark.parametrize("security", ["starttls", "tls"])
async def test_server_that_accepts_the_login(server: Server, security: str) -> None:
    """The check ends after the sender address: no email is sent."""
    port = await server.start_with_login(security)
    [finding] = await gathered(check_mail(server.settings(port, security, user="portico")))
    letters = "; addresses with non-ASCII characters before the @ are not supported"

    assert finding.level == "ok", finding
    assert finding.text == f"localhost:{port} accepts emails with {security}, authenticated" + letters
    assert server.postmaster.kept == []


async def test_one_email_is_sent_on_request(server: Server) -> None:
    """The email goes to the given address from the configured sender."""
    port = await server.start(tls_context=server.tls)
    found = await gathered(check_mail(server.settings(port, "starttls"), "ada@mail.example"))
    server.postmaster.rcpt = "550 no such person"
    refused = await gathered(check_mail(server.settings(port, "starttls"), "eve@mail.example"))
    [envelope] = server.postmaster.kept

    assert [finding.level for finding in found] == ["ok", "ok"]
    assert (envelope.mail_from, envelope.rcpt_tos) == ("portico@id.example", ["ada@mail.example"])
    assert [finding.level for finding in refused] == ["ok", "wrong"]
    assert "the server rejected the email" in refused[1].text


async def test_refused_login(server: Server) -> None:
    """The finding does not contain the password."""
    port = await server.start(authenticator=server.postmaster.login, auth_required=True, tls_context=server.tls)
    [finding] = await gathered(check_mail(server.settings(port, "starttls", user="stranger")))

    assert (finding.level, finding.text) == ("wrong", "the server rejects the login (535)")


async def test_server_without_authentication(server: Server) -> None:
    """With a user in the settings no email could be sent."""
    port = await server.start(tls_context=server.tls, auth_exclude_mechanism=["LOGIN", "PLAIN"])
    [finding] = await gathered(check_mail(server.settings(port, "starttls", user="portico")))

    assert finding.level == "wrong"
    assert "offers no supported authentication" in finding.text


@pytest.mark.parametrize("security", ["starttls", "tls"])
async def test_untrusted_certificate(server: Server, security: str) -> None:
    """The password is not sent to a server with an untrusted certificate."""
    tls = {"tls": True} if security == "tls" else {"tls_context": server.tls}
    port = await server.start(authenticator=server.postmaster.login, **tls)
    [finding] = await gathered(check_mail(server.settings(port, security, user="portico", ca_file="")))

    assert (finding.level, finding.text) == ("wrong", f"the certificate of localhost:{port} is not trusted")
    assert server.postmaster.logins == []


async def test_server_without_starttls(server: Server) -> None:
    """Emails would wait forever; deliberately disabled encryption is a warning."""
    port = await server.start()
    [refused] = await gathered(check_mail(server.settings(port, "starttls")))
    [plain] = await gathered(check_mail(server.settings(port, "none")))

    assert (refused.level, refused.text) == ("wrong", f"localhost:{port} does not offer STARTTLS")
    assert (plain.level, plain.text) == ("warning", f"127.0.0.1:{port} accepts emails, without TLS")


async def test_refused_sender(server: Server) -> None:
    """The refusal is found without a recipient, so that no email is started."""
    server.postmaster.sender = "553 not yours"
    port = await server.start(tls_context=server.tls)
    [finding] = await gathered(check_mail(server.settings(port, "starttls")))

    assert (finding.level, finding.text) == ("wrong", "the server rejects the sender (553)")


async def test_missing_server_or_file(server: Server, tmp_path: Path) -> None:
    """No configured server is a warning; a server that does not respond, or an invalid file, is an error."""
    [unset] = await gathered(check_mail(MailSection()))
    [away] = await gathered(check_mail(server.settings(9, "starttls")))
    [no_file] = await gathered(check_mail(server.settings(9, "starttls", ca_file=str(tmp_path / "ca.pem"))))

    assert (unset.level, unset.text) == ("warning", "no mail server is configured")
    assert away.level == "wrong"
    assert "localhost:9 does not respond" in away.text
    assert "PORTICO_SMTP_CA_FILE cannot be read" in no_file.text
