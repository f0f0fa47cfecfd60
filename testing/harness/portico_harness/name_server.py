"""A DNS server for tests: replica names as in a cluster, and names of stores."""

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
"""Time to live of records."""


class NameServer(asyncio.DatagramProtocol):
    """Answers with the current IPv4 addresses of a name, rotated on each query.

    Args:
        addresses: by lower-case name; may change at run time.
        records: other record types: texts by type and name; may change at run time.
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
        self._transport = cast("asyncio.DatagramTransport", transport)
        self.port = transport.get_extra_info("sockname")[1]

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
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
    transport, server = await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: NameServer(addresses, records), local_addr=("127.0.0.1", 0)
    )
    try:
        yield server
    finally:
        transport.close()
