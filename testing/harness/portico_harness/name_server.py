"""A DNS server of a test: for the names of replicas, as a cluster has one, and for those of stores."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import cast

import dns.message
import dns.name
import dns.rcode
import dns.rdataclass
import dns.rdatatype
import dns.rrset

_SECONDS = 0
"""How long an answer may be remembered: not at all."""


class NameServer(asyncio.DatagramProtocol):
    """Answers with the IPv4 addresses a name has now, each time beginning with the next one, as most do.

    Args:
        addresses: by name, in lower case; may be changed while it runs.
        records: what else names have: by type, the texts by name; may be changed as well.
    """

    def __init__(
        self, addresses: Mapping[str, list[str]], records: Mapping[str, Mapping[str, Sequence[str]]] | None = None
    ) -> None:
        self.addresses = addresses
        self.records = records or {}
        self.port = 0
        self._turn = 0
        self._transport = asyncio.DatagramTransport()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begins."""
        self._transport = cast("asyncio.DatagramTransport", transport)
        self.port = transport.get_extra_info("sockname")[1]

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        """Answers one question."""
        query = dns.message.from_wire(data)
        reply = dns.message.make_response(query, recursion_available=True)
        question = query.question[0]
        name, kind = question.name.to_text(omit_final_dot=True).lower(), dns.rdatatype.to_text(question.rdtype)
        if found := self._found(name, kind):
            reply.answer = [dns.rrset.from_text_list(question.name, _SECONDS, dns.rdataclass.IN, kind, list(found))]
        elif not self._is_known(name):
            reply.set_rcode(dns.rcode.NXDOMAIN)
        self._transport.sendto(reply.to_wire(), addr)

    def _found(self, name: str, kind: str) -> Sequence[str]:
        if kind != "A":
            return self.records.get(kind, {}).get(name, ())
        addresses = self.addresses.get(name)
        if not addresses:
            return ()
        self._turn += 1
        first = self._turn % len(addresses)
        return addresses[first:] + addresses[:first]

    def _is_known(self, name: str) -> bool:
        return name in self.addresses or any(name in texts for texts in self.records.values())


@asynccontextmanager
async def name_server(
    addresses: Mapping[str, list[str]], records: Mapping[str, Mapping[str, Sequence[str]]] | None = None
) -> AsyncIterator[NameServer]:
    """Runs one on loopback until the block ends; see `NameServer`."""
    transport, server = await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: NameServer(addresses, records), local_addr=("127.0.0.1", 0)
    )
    try:
        yield server
    finally:
        transport.close()
