"""A way to a service that is an application in memory, or whatever else httpx has a transport for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import httpx
from portico_runtime.service_client import NoResponse, ServiceResponse

_NOWHERE: Final = "http://neighbour"


@dataclass(frozen=True, slots=True)
class OverHttpx:
    """As `portico_runtime.service_client.ServiceClient`, through a transport."""

    transport: httpx.AsyncBaseTransport

    async def request(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> ServiceResponse:
        """Asks once."""
        request = httpx.Request(method, f"{_NOWHERE}{path}", headers=dict(headers), content=body)
        try:
            response = await self.transport.handle_async_request(request)
            await response.aread()
        except httpx.TransportError as error:
            raise NoResponse(type(error).__name__) from error
        return ServiceResponse(response.status_code, dict(response.headers), response.content)

    async def start(self) -> None:
        """Nothing to do."""

    async def close(self) -> None:
        """Closes the transport."""
        await self.transport.aclose()
