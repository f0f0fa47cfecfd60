"""Emails by an organization's own mail server, over real SMTP."""

from __future__ import annotations

import base64
import secrets

import pytest
from portico_oauth.master_keys import MasterKeys
from portico_users.identity_providers.secrets import SecretSealer
from portico_users.notifications.email.transport import NotNow
from portico_users.notifications.senders.own_smtp import OwnSmtp
from portico_users.notifications.senders.secrets import with_password
from portico_users.notifications.senders.sender import Channel, Sender

from .mail_server import Server
from .test_mail_server import mail

SEALER = SecretSealer(MasterKeys.read(base64.b64encode(bytes(32)).decode()), secrets.token_bytes)


async def at_home(_host: str, _port: int) -> list[str]:
    return ["127.0.0.1"]


def sender_at(port: int, security: str) -> Sender:
    sender = Sender(
        id="s1",
        org_id="acme",
        channel=Channel.EMAIL,
        smtp_host="localhost",
        smtp_port=port,
        smtp_security=security,
        smtp_user="portico",
        from_address="Portico <portico@id.example>",
    )
    return with_password(sender, "swordfish", SEALER)


@pytest.mark.filterwarnings("ignore:Requiring AUTH")  # the library does not see that the whole connection is TLS
@pytest.mark.parametrize("security", ["starttls", "tls"])
async def test_own_mail_server_gets_the_email_over_tls(server: Server, security: str) -> None:
    """The connection goes to the checked address, and TLS verifies the name."""
    port = await server.start_with_login(security)
    own = OwnSmtp(at_home, frozenset({("localhost", port)}), str(server.ca_file), SEALER)
    await own.send(sender_at(port, security), mail())

    assert [envelope.rcpt_tos for envelope in server.postmaster.kept] == [["eve@mail.example"]]
    assert server.postmaster.logins == [(b"portico", b"swordfish")]


async def test_private_mail_server_is_not_contacted(server: Server) -> None:
    """An organization chooses the host: it must not reach servers that only this service can reach (IP-03)."""
    port = await server.start()
    with pytest.raises(NotNow, match="not public"):
        await OwnSmtp(at_home, frozenset(), "", SEALER).send(sender_at(port, "starttls"), mail())

    assert server.postmaster.kept == []
