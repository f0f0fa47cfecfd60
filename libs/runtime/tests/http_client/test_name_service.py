from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import dns.flags
import dns.message
import dns.rcode
import dns.rrset
import pytest
from portico_runtime.http_client.name_service import NameService

RECORDS = {"proof.example.": ['"first"', '"in two " "pieces"', '"not \\255 text"']}


class _Server(asyncio.DatagramProtocol):
    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, addr: Any) -> None:
        query = dns.message.from_wire(data)
        answer = dns.message.make_response(query)
        answer.flags |= dns.flags.RA
        name = query.question[0].name.to_text()
        if name in RECORDS:
            answer.answer.append(dns.rrset.from_text(name, 60, "IN", "TXT", *RECORDS[name]))
        else:
            answer.set_rcode(dns.rcode.NXDOMAIN)
        self.transport.sendto(answer.to_wire(), addr)


@pytest.fixture
async def name_server() -> AsyncIterator[NameService]:
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(_Server, local_addr=("127.0.0.1", 0))
    port = transport.get_extra_info("sockname")[1]
    yield NameService(servers=("127.0.0.1",), port=port)
    transport.close()


async def test_text_record_is_joined(name_server: NameService) -> None:
    """A TXT record arrives in strings of at most 255 bytes, which are joined."""
    found = await name_server.find_texts("proof.example")

    assert sorted(found) == ["first", "in two pieces", "not \ufffd text"]


@pytest.mark.parametrize("name", ["nothing.example", "a..b", "x" * 64 + ".example", ""])
async def test_missing_record_is_empty(name_server: NameService, name: str) -> None:
    """An unknown or invalid name has no texts."""
    assert await name_server.find_texts(name) == []
