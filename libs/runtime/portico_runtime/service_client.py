"""Calls other Portico services over HTTP/1.1 with aiohttp: a request costs a seventh of one with httpx.

Only for URLs from settings: redirects, cookies, proxies and encodings are not supported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import cycle
from typing import Final, NamedTuple, Protocol

from aiohttp import (
    BaseConnector,
    ClientConnectorError,
    ClientError,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
    TCPConnector,
)
from portico_contracts.context import TRACE_PARENT_HEADER
from portico_contracts.spans import part
from yarl import URL

MAX_CONNECTIONS: Final = 500
"""Concurrent requests; more wait. Higher than the number of passwords that wait for their hash (decision 0042)."""

IDLE_SECONDS: Final = 5.0
"""Services keep idle connections for thirty seconds: no request is sent over one that is just being closed."""

MAX_ANSWER: Final = 1024 * 1024
"""Maximum bytes of a response body."""

_LEFT_OUT: Final = ("Accept", "Accept-Encoding", "User-Agent")


class NoResponse(OSError):
    pass


class ServiceResponse(NamedTuple):
    """The response of a service; header names are case-insensitive, and of repeated headers the first counts."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Http(Protocol):
    """Asks one service, however many replicas it has; `ServiceClient` is one."""

    async def request(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> ServiceResponse:
        """Asks once; raises OSError without an answer."""
        ...

    async def start(self) -> None:
        """Starts; must not wait for a service that may be down."""
        ...

    async def close(self) -> None:
        """Closes the connections."""
        ...


def connector() -> BaseConnector:
    """A connection pool that resolves names for each connection: a replaced container's address is reused soon."""
    return TCPConnector(limit=MAX_CONNECTIONS, keepalive_timeout=IDLE_SECONDS, use_dns_cache=False)


class ServiceClient:
    def __init__(self, url: str, *, connect: Callable[[], BaseConnector] = connector) -> None:
        """`url` is of the service, or of its replicas separated by commas, used in turn."""
        self._urls = cycle([one.strip().rstrip("/") for one in url.split(",") if one.strip()])
        self._replicas = url.count(",") + 1
        self._connect = connect
        self._session: ClientSession | None = None

    async def request(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> ServiceResponse:
        """If a connection cannot be opened, another replica is tried: two attempts, or one per replica."""
        with part(method, {"http.request.method": method}) as span:
            if span:
                headers = {**headers, TRACE_PARENT_HEADER: span.trace_parent}
            response = await self._request_any(method, path, headers, body)
            if span:
                span.set("http.response.status_code", response.status)
            return response

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        if self._session:
            await self._session.close()

    async def _request_any(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> ServiceResponse:
        for _ in range(max(2, self._replicas) - 1):
            try:
                return await self._request(method, URL(next(self._urls) + path), headers, body)
            except ClientConnectorError:  # nothing was sent yet
                continue
        return await self._request(method, URL(next(self._urls) + path), headers, body)

    async def _request(self, method: str, url: URL, headers: Mapping[str, str], body: bytes) -> ServiceResponse:
        self._session = session = self._session or self._open()
        try:
            async with session.request(
                method, url, headers=headers, data=body or None, allow_redirects=False
            ) as response:
                return ServiceResponse(response.status, response.headers, await _read(response))
        except ClientConnectorError:
            raise
        except ClientError as error:
            raise NoResponse(type(error).__name__) from error

    def _open(self) -> ClientSession:
        return ClientSession(
            connector=self._connect(),
            cookie_jar=DummyCookieJar(),
            timeout=ClientTimeout(total=None),  # who asks knows how long they can wait
            skip_auto_headers=_LEFT_OUT,
            auto_decompress=False,
        )


async def _read(response: ClientResponse) -> bytes:
    body = bytearray()
    async for chunk in response.content.iter_any():
        body += chunk
        if len(body) > MAX_ANSWER:
            raise NoResponse("the response is too large")
    return bytes(body)
