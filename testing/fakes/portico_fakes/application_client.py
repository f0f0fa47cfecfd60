from __future__ import annotations

from typing import Any

import httpx
from starlette.types import ASGIApp


class ApplicationClient:
    """Sends requests to an application in memory.

    Without the cookies, redirects and defaults of httpx.AsyncClient, which take two thirds of the time of a request.
    """

    def __init__(self, app: ASGIApp, base_url: str, *, raise_app_exceptions: bool = True) -> None:
        self._transport = httpx.ASGITransport(app, raise_app_exceptions=raise_app_exceptions)
        self._base_url = base_url
        self.headers: dict[str, str] = {}
        """Sent with every request."""

    async def request(self, method: str, path: str, *, headers: Any = None, **content: Any) -> httpx.Response:
        """Sends a request with the arguments of `httpx.Request`; `path` may be an absolute URL."""
        address = path if "://" in path.partition("?")[0] else f"{self._base_url}{path}"
        sent = httpx.Headers(headers)
        for name, value in self.headers.items():
            sent.setdefault(name, value)
        request = httpx.Request(method, address, headers=sent, **content)
        response = await self._transport.handle_async_request(request)
        response.request = request
        await response.aread()
        return response

    async def get(self, path: str, **content: Any) -> httpx.Response:
        return await self.request("GET", path, **content)

    async def post(self, path: str, **content: Any) -> httpx.Response:
        return await self.request("POST", path, **content)

    async def put(self, path: str, **content: Any) -> httpx.Response:
        return await self.request("PUT", path, **content)
