"""Calls other Portico services over HTTP/1.1.

Only for URLs from settings: redirects, cookies, proxies and encodings are not supported. aiohttp takes 5 MiB in a
service, and three times as long (decision 0044).
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from itertools import cycle
from typing import Final, NamedTuple, Protocol
from urllib.parse import quote, urlsplit

from portico_contracts.context import TRACE_PARENT_HEADER
from portico_contracts.spans import part

from portico_runtime.http_client.service_connection import MAX_ANSWER, NoResponse, ServiceConnection, ServiceResponse
from portico_runtime.process.health import note_failure, note_request
from portico_runtime.tls.clients import client_context

__all__ = ["MAX_ANSWER", "Http", "NoResponse", "ServiceClient", "ServiceResponse"]

MAX_CONNECTIONS: Final = 500
"""Concurrent requests; more wait. Higher than the number of passwords that wait for their hash (decision 0042)."""

IDLE_SECONDS: Final = 5.0
"""Services keep idle connections much longer: no request is sent over one that is just being closed."""

_ENDS_A_HEADER: Final = re.compile(r"[\r\n\0]")

_UNQUOTED: Final = "!$%&'()*+,/:;=?@[]~"


class Http(Protocol):
    """Asks one service, however many replicas it has; `ServiceClient` is one."""

    async def request(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> ServiceResponse:
        """Asks once; raises OSError without an answer."""
        ...

    async def start(self) -> None:
        """Starts; must not wait for a service that may be down."""
        ...

    async def close(self) -> None: ...


class Address(NamedTuple):
    host: str
    port: int
    tls: ssl.SSLContext | None
    authority: str
    path: str


async def connect(address: Address) -> ServiceConnection:
    """Resolves the name each time: a replaced container's address is reused soon."""
    loop = asyncio.get_running_loop()
    _, connection = await loop.create_connection(ServiceConnection, address.host, address.port, ssl=address.tls)
    return connection


class ServiceClient:
    def __init__(
        self,
        url: str,
        *,
        connect: Callable[[Address], Awaitable[ServiceConnection]] = connect,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        """`url` is of the service, or of its replicas separated by commas, used in turn."""
        addresses = [_address(one.strip().rstrip("/")) for one in url.split(",") if one.strip()]
        self._addresses = cycle(addresses)
        self._attempts = max(2, len(addresses))
        self._connect = connect
        self._idle_seconds = idle_seconds
        self._idle: defaultdict[Address, deque[ServiceConnection]] = defaultdict(deque)
        self._limit = asyncio.Semaphore(MAX_CONNECTIONS)

    async def request(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> ServiceResponse:
        """If a connection cannot be opened, another replica is tried: two attempts, or one per replica."""
        with part(method, {"http.request.method": method}) as span:
            if span:
                headers = {**headers, TRACE_PARENT_HEADER: span.trace_parent}
            note_request()
            try:
                async with self._limit:
                    response = await self._request_any(method, path, headers, body)
            except BaseException:  # the caller's timeout as well
                note_failure()
                raise
            if span:
                span.set("http.response.status_code", response.status)
            return response

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        for connections in self._idle.values():
            while connections:
                connections.pop().close()

    async def _request_any(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> ServiceResponse:
        address, connection = await self._open_any()
        response = await connection.request(_message(address, method, path, headers, body))
        connection.idle_since = asyncio.get_running_loop().time()
        self._idle[address].append(connection)
        return response

    async def _open_any(self) -> tuple[Address, ServiceConnection]:
        for _ in range(self._attempts - 1):
            address = next(self._addresses)
            with suppress(OSError):
                return address, await self._connection(address)
        address = next(self._addresses)
        return address, await self._connection(address)

    async def _connection(self, address: Address) -> ServiceConnection:
        """Returns the last used connection; older ones are closed when they are not needed."""
        oldest = asyncio.get_running_loop().time() - self._idle_seconds
        idle = self._idle[address]
        while idle and not idle[0].is_usable(oldest):
            idle.popleft().close()
        while idle:
            if (connection := idle.pop()).is_usable(oldest):
                return connection
        return await self._connect(address)


def _address(url: str) -> Address:
    parts = urlsplit(url)
    tls = client_context() if parts.scheme == "https" else None
    return Address(parts.hostname or "", parts.port or (443 if tls else 80), tls, parts.netloc, parts.path)


def _message(address: Address, method: str, path: str, headers: Mapping[str, str], body: bytes) -> bytes:
    lines = [f"{method} {quote(address.path + path, _UNQUOTED)} HTTP/1.1", f"Host: {address.authority}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if body or method != "GET":
        lines.append(f"Content-Length: {len(body)}")
    if any(map(_ENDS_A_HEADER.search, lines)):
        raise ValueError("a header must not contain a line break")
    return "\r\n".join((*lines, "", "")).encode() + body
