"""`ServiceClient` over an httpx transport, such as an ASGI application in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import httpx
from portico_runtime.http_client.service_client import NoResponse, ServiceResponse

_NOWHERE: Final = "http://neighbour"
_ENDS_A_HEADER: Final = frozenset(b"\r\n\0")


@dataclass(frozen=True, slots=True)
class OverHttpx:
    transport: httpx.AsyncBaseTransport

    async def request(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> ServiceResponse:
        sent = [(name.encode(), value.encode()) for name, value in headers.items()]
        if any(not _ENDS_A_HEADER.isdisjoint(value) for _, value in sent):
            raise ValueError("a header must not contain a line break")
        request = httpx.Request(method, f"{_NOWHERE}{path}", headers=sent, content=body)
        try:
            response = await self.transport.handle_async_request(request)
            await response.aread()
        except httpx.TransportError as error:
            raise NoResponse(type(error).__name__) from error
        return ServiceResponse(response.status_code, dict(response.headers), response.content)

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        await self.transport.aclose()
