"""Which LDAP server is asked next when one fails in the middle of a sign-in."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, cast

import pytest
from portico_contracts.users import VerifiedIdentity
from portico_fakes.clock import FrozenClock
from portico_harness.certificates import write_certificate
from portico_oauth.errors import ServiceError
from portico_users.identity_providers.federation.code_exchange import StoredSecrets
from portico_users.identity_providers.federation.ldap.ber import (
    ENUMERATED,
    OCTETS,
    SEQUENCE,
    SET,
    encode,
    encode_integer,
    length_octets,
)
from portico_users.identity_providers.federation.ldap.connection import LdapConnections
from portico_users.identity_providers.federation.ldap.ldap_provider import LdapProvider
from portico_users.identity_providers.federation.ldap.messages import (
    BIND_RESPONSE,
    SEARCH_DONE,
    SEARCH_ENTRY,
    message,
    read_message,
)
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.ldap import LdapConfig
from portico_users.values.operator_settings import OutboundAllowed

HOST: Final = "directory.example"
SUBJECT: Final = "1b4e28ba-2fa1-11d2-883f-0016d3cca427"

WRONG_PASSWORD: Final = 49
BUSY: Final = 51
UNAVAILABLE: Final = 52
CLOSES: Final = -1
NOTICE: Final = -2

_BIND: Final = 0x60
_SEARCH: Final = 0x63
_NOTICE_OF_DISCONNECTION: Final = (
    bytes.fromhex("302402010078") + bytes.fromhex("1f0a0134040004008a16") + (b"1.3.6.1.4.1.1466.20036")
)


class Secrets:
    def of(self, _idp: Idp) -> str:
        return "secret of the search account"


class Directories:
    """Each server has its results for the search account's bind, the search, and the user's bind."""

    def __init__(self, folder: Path, clock: FrozenClock) -> None:
        self.files = write_certificate(folder, HOST)
        self.clock = clock
        self.ports: list[int] = []
        self.counted: list[str] = []

    @asynccontextmanager
    async def running(self, *servers: Sequence[int]) -> AsyncIterator[Directories]:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.files.certificate, self.files.key)
        started = [
            await asyncio.start_server(partial(_serve, results=results), "127.0.0.1", 0, ssl=context)
            for results in servers
        ]
        self.ports = [one.sockets[0].getsockname()[1] for one in started]
        yield self
        for one in started:
            one.close()

    async def verify(self) -> VerifiedIdentity | None:
        allowed = OutboundAllowed(frozenset((HOST, port) for port in self.ports))
        config = LdapConfig(
            servers=tuple(f"ldaps://{HOST}:{port}" for port in self.ports),
            base_dn="dc=example",
            bind_dn="cn=portico,dc=example",
            user_filters=("uid",),
            root_ca=self.files.authority.read_text(),
        )
        connections = LdapConnections(_resolve, allowed, "")
        provider = LdapProvider(connections, cast("StoredSecrets", Secrets()), allowed, bytes, self.clock)
        idp = Idp(id="directory", org_id="org", name="directory", config=config)
        return await provider.verify(idp, config, "ada", "correct horse", self._count, {})

    async def _count(self, subject: str) -> None:
        self.counted.append(subject)


async def _resolve(_host: str, _port: int) -> list[str]:
    return ["127.0.0.1"]


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, results: Sequence[int]) -> None:
    with suppress(ConnectionError, EOFError):
        for result in results:
            asked = read_message(await _content(reader))
            if result == CLOSES:
                break
            if result == NOTICE:
                writer.write(_NOTICE_OF_DISCONNECTION)
                break
            if asked.kind == _SEARCH and result == 0:
                writer.write(message(asked.id, _entry()))
            kind = BIND_RESPONSE if asked.kind == _BIND else SEARCH_DONE
            done = encode(kind, encode_integer(result, ENUMERATED), encode(OCTETS), encode(OCTETS))
            writer.write(message(asked.id, done))
        await writer.drain()
    writer.close()


async def _content(reader: asyncio.StreamReader) -> bytes:
    _, length = await reader.readexactly(2)
    count = length_octets(length)
    return await reader.readexactly(int.from_bytes(await reader.readexactly(count), "big") if count else length)


def _entry() -> bytes:
    subject = encode(SEQUENCE, encode(OCTETS, b"entryUUID"), encode(SET, encode(OCTETS, SUBJECT.encode())))
    return encode(SEARCH_ENTRY, encode(OCTETS, b"cn=ada,dc=example"), encode(SEQUENCE, subject))


@pytest.fixture
def directories(tmp_path: Path, clock: FrozenClock) -> Directories:
    return Directories(tmp_path, clock)


@pytest.mark.parametrize("place", [0, 1, 2], ids=["search account", "search", "user"])
@pytest.mark.parametrize(
    "result", [BUSY, UNAVAILABLE, CLOSES, NOTICE], ids=["busy", "unavailable", "closes", "announces the end"]
)
async def test_server_that_cannot_answer_is_skipped(directories: Directories, place: int, result: int) -> None:
    """A server that is busy or shutting down is skipped too: it has judged neither the entry nor a password (RFC 4511
    §4.4.1).
    """
    async with directories.running([*[0] * place, result], [0, 0, 0]):
        identity = await directories.verify()

    assert identity is not None
    assert identity.subject == SUBJECT


async def test_attempt_is_counted_once_for_all_servers(directories: Directories) -> None:
    """A password that two servers were asked about is one attempt: it locks and delays like one (LG-05)."""
    async with directories.running([0, 0, CLOSES], [0, 0, WRONG_PASSWORD]):
        assert await directories.verify() is None

    assert directories.counted == [SUBJECT]


async def test_only_busy_servers_are_unreachable(directories: Directories) -> None:
    """Neither the search account nor the password is wrong (USER-961)."""
    async with directories.running([BUSY], [0, 0, UNAVAILABLE]):
        with pytest.raises(ServiceError) as refused:
            await directories.verify()

    assert (refused.value.id, refused.value.private["cause"]) == ("USER-961", "result code 52")
