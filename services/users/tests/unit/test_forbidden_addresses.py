"""Documents of identity providers are never fetched from internal addresses: a canary counts the connections
(IP-03).
"""

from __future__ import annotations

import asyncio
from typing import Final

from portico_fakes.clock import FrozenClock
from portico_oauth.errors import ServiceError
from portico_runtime.http_client.outbound import Outbound
from portico_runtime.settings.sections.outbound import OutboundSection
from portico_users.identity_providers.federation.provider_metadata import FetchedDocuments
from portico_users.identity_providers.federation.verification_keys import KeySets

_IPV4: Final = [
    "127.0.0.1",
    "127.0.0.2",
    "127.1",
    "127.255.255.254",
    "0.0.0.0",  # noqa: S104 - refused like the others
    "0",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "017700000001",
    "0177.0.0.1",
    "127.0.1",
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.254",
    "192.168.0.1",
    "192.168.255.254",
    "169.254.169.254",
    "169.254.1.1",
    "100.64.0.1",
    "100.127.255.254",
    "192.0.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "198.19.255.254",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "0xa9fea9fe",
    "2852039166",
    "0300.0250.0.1",
    "0xc0a80001",
]
_IPV6: Final = [
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:7f00:1",
    "::127.0.0.1",
    "::7f00:1",
    "fe80::1",
    "fc00::1",
    "fd00::1",
    "fd00:ec2::254",
    "fec0::1",
    "ff02::1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:a00:1::",
    "2001:db8::1",
    "2001::7f00:1",
    "100::1",
]
_NAMES: Final = (
    *("127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "172.16.0.1", "100.64.0.1", "0.0.0.0"),  # noqa: S104 - as above
    *("::1", "fd00::1", "fe80::1%lo", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"),
)
"""Addresses that a public name resolves to."""

URLS: Final = (
    *(f"https://{host}:{{port}}/keys" for host in _IPV4),
    *(f"https://[{host}]:{{port}}/keys" for host in _IPV6),
    *(f"https://{number}.rebinding.example:{{port}}/keys" for number in range(len(_NAMES))),
    "http://portal.example:{port}/keys",
    "https://portal.example@127.0.0.1:{port}/keys",
    "https://user:secret@127.0.0.1:{port}/keys",
    "file:///etc/passwd",
    "gopher://127.0.0.1:{port}/keys",
    "ftp://127.0.0.1:{port}/keys",
    "//127.0.0.1:{port}/keys",
    "https://127.0.0.1:{port}\\@portal.example/keys",
    "https:// 127.0.0.1:{port}/keys",
    "https://127.0.0.1%00.portal.example:{port}/keys",
)


async def _resolve(host: str, _port: int) -> list[str]:
    number = host.partition(".")[0]
    return ["8.8.8.8", _NAMES[int(number)]] if host.endswith("rebinding.example") else ["127.0.0.1"]


def test_there_are_eighty_forbidden_urls() -> None:
    """The URLs are literals in every spelling, public names with private addresses, and other schemes."""
    assert len(set(URLS)) >= 80


async def test_forbidden_address_is_not_contacted(clock: FrozenClock) -> None:
    """The sign-in is refused with the same text as for an unresponsive provider, and no connection is made (IP-03)."""
    connections = 0

    async def count(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        writer.close()

    server = await asyncio.start_server(count, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        outbound = Outbound(OutboundSection(), resolve=_resolve)
        for url in URLS:
            keys = KeySets(FetchedDocuments(outbound, clock))
            error_id = await _error_id(keys, url.format(port=port))
            assert (error_id, connections) == ("USER-961", 0), url
        await outbound.close()


async def _error_id(keys: KeySets, url: str) -> str:
    try:
        await keys.find("idp", url, {"alg": "RS256"})
    except ServiceError as error:
        return error.id
    return ""
