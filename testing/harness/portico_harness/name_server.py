"""A DNS server for the names of replicas, as a cluster has one."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import cast

_ADDRESS, _ANY_CLASS = 1, 1
_ANSWER_FLAGS, _UNKNOWN_NAME = 0x8180, 3


class NameServer(asyncio.DatagramProtocol):
    """Answers with the IPv4 addresses a name has now, each time beginning with the next one, as most do.

    Args:
        addresses: by name, in lower case; may be changed while it runs.
    """

    def __init__(self, addresses: Mapping[str, list[str]]) -> None:
        self.addresses = addresses
        self.port = 0
        self._turn = 0
        self._transport = asyncio.DatagramTransport()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begins."""
        self._transport = cast("asyncio.DatagramTransport", transport)
        self.port = transport.get_extra_info("sockname")[1]

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        """Answers one question."""
        name, end = _name(data)
        kind = struct.unpack_from(">H", data, end)[0]
        known = self.addresses.get(name.lower())
        found = self._in_turn(known) if known and kind == _ADDRESS else []
        flags = _ANSWER_FLAGS | (0 if known is not None else _UNKNOWN_NAME)
        head = struct.pack(">2sHHHHH", data[:2], flags, 1, len(found), 0, 0)
        rows = [struct.pack(">HHHIH", 0xC00C, _ADDRESS, _ANY_CLASS, 1, 4) + socket.inet_aton(one) for one in found]
        self._transport.sendto(head + data[12 : end + 4] + b"".join(rows), addr)

    def _in_turn(self, addresses: list[str]) -> list[str]:
        self._turn += 1
        first = self._turn % len(addresses)
        return addresses[first:] + addresses[:first]


def _name(data: bytes) -> tuple[str, int]:
    """The name that is asked about, and where its type begins."""
    labels, at = [], 12
    while length := data[at]:
        labels.append(data[at + 1 : at + 1 + length].decode())
        at += 1 + length
    return ".".join(labels), at + 1


@asynccontextmanager
async def name_server(addresses: Mapping[str, list[str]]) -> AsyncIterator[NameServer]:
    """Runs one on loopback until the block ends."""
    transport, server = await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: NameServer(addresses), local_addr=("127.0.0.1", 0)
    )
    try:
        yield server
    finally:
        transport.close()
