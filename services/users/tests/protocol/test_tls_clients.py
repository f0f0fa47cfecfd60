"""Which certificates of directories and mail servers are accepted: the same ones, on every Python (decision 0114)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from portico_harness.tls_peers import ACCEPTED_OF_SYSTEM, ACCEPTED_WHEN_GIVEN, HOST, Peer, accepted_by
from portico_runtime.settings.sections.mail import MailSection
from portico_users.identity_providers.federation.ldap.connection import LdapConnections
from portico_users.identity_providers.ldap_rules import LdapServer
from portico_users.notifications.email.doctor_checks import check_mail
from portico_users.notifications.email.transport import SmtpTransport
from portico_users.notifications.senders.own_smtp import OwnSmtp
from portico_users.notifications.senders.sender import Channel, Sender

from .test_mail_server import mail
from .test_own_mail_server import SEALER

pytestmark = pytest.mark.slow

SECONDS: Final = 2.0


async def at_home(_host: str, _port: int) -> list[str]:
    return ["127.0.0.1"]


def mail_section(peer: Peer) -> MailSection:
    return MailSection(
        smtp_host=HOST,
        smtp_port=peer.port,
        smtp_security="tls",
        smtp_ca_file=str(peer.authority),
        smtp_from="Portico <portico@id.example>",
        smtp_timeout=SECONDS,
    )


@pytest.mark.parametrize("place", ["rootCa", "PORTICO_OUTBOUND_CA_FILE"])
async def test_directory_of_an_own_authority_is_accepted(tmp_path: Path, place: str) -> None:
    """The certificates are like those that 389 Directory Server and Samba create for themselves."""

    async def connect(peer: Peer) -> None:
        ca_file, root_ca = ("", peer.authority.read_text()) if place == "rootCa" else (str(peer.authority), "")
        directory = LdapConnections(at_home, frozenset({(HOST, peer.port)}), ca_file)
        async with directory.connect(LdapServer(HOST, peer.port, tls_first=True), root_ca, SECONDS):
            pass

    assert await accepted_by(tmp_path, connect) == ACCEPTED_WHEN_GIVEN


async def test_directory_without_a_given_authority_is_verified_as_by_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def connect(peer: Peer) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", str(peer.authority))
        directory = LdapConnections(at_home, frozenset({(HOST, peer.port)}), "")
        async with directory.connect(LdapServer(HOST, peer.port, tls_first=True), "", SECONDS):
            pass

    assert await accepted_by(tmp_path, connect) == ACCEPTED_OF_SYSTEM


async def test_mail_server_of_an_own_authority_is_accepted(tmp_path: Path) -> None:
    async def connect(peer: Peer) -> None:
        await SmtpTransport(mail_section(peer)).send(mail())

    assert await accepted_by(tmp_path, connect) == ACCEPTED_WHEN_GIVEN


async def test_mail_server_is_examined_with_the_same_verification(tmp_path: Path) -> None:
    async def connect(peer: Peer) -> None:
        [_ async for _ in check_mail(mail_section(peer))]

    assert await accepted_by(tmp_path, connect) == ACCEPTED_WHEN_GIVEN


async def test_mail_server_of_an_organization_is_accepted(tmp_path: Path) -> None:
    async def connect(peer: Peer) -> None:
        sender = Sender(
            id="1",
            org_id="org",
            channel=Channel.EMAIL,
            smtp_host=HOST,
            smtp_port=peer.port,
            smtp_security="tls",
            from_address="Acme <mail@acme.example>",
        )
        own = OwnSmtp(at_home, frozenset({(HOST, peer.port)}), str(peer.authority), SEALER)
        await own.send(sender, mail())

    assert await accepted_by(tmp_path, connect) == ACCEPTED_WHEN_GIVEN
