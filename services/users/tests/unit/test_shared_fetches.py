from __future__ import annotations

import asyncio
from typing import Any, Self

from portico_fakes.clock import FrozenClock
from portico_runtime.http_client.outbound import MAX_BYTES, OutboundResponse
from portico_users.applications.metadata_documents.fetched_documents import CLIENT_DOCUMENTS, ClientDocuments, Sought

URL = "https://agent.example/client.json"


class NoRows:
    async def find_one(self, _question: Any) -> None:
        """Nothing is stored."""


class SlowHost:
    def __init__(self) -> None:
        self.asked = 0
        self.reached = asyncio.Event()
        self.answers = asyncio.Event()

    def kept_for(self, _owner: str) -> Self:
        return self

    async def resolve(self, _url: str) -> None:
        """The name has an address."""

    async def get(self, _url: str, _headers: Any = None, *, limit: int = MAX_BYTES) -> OutboundResponse:
        self.asked += 1
        self.reached.set()
        await self.answers.wait()
        return OutboundResponse(404, b"x"[:limit])

    async def exchange(self, _url: str, _fields: Any, _headers: Any) -> OutboundResponse:
        raise NotImplementedError


async def test_simultaneous_requests_share_a_fetch(clock: FrozenClock) -> None:
    """A failed fetch is shared too, so that its callers do not request a slow host one after the other."""
    host = SlowHost()
    database: Any = {CLIENT_DOCUMENTS: NoRows()}
    documents = ClientDocuments(database, host, clock)
    requests = [asyncio.create_task(documents.find(Sought(URL, "", str(number)))) for number in range(5)]
    await host.reached.wait()
    host.answers.set()
    found = await asyncio.gather(*requests)

    assert [one.document for one in found] == [None] * 5
    assert host.asked == 1
