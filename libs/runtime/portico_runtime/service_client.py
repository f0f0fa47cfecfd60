"""Calls another service of ours over HTTP/1.1, by aiohttp: a request costs a seventh of what it costs by httpx.

For a service whose address is in the settings: there are no redirects, cookies, proxies and encodings between services.
Addresses that others registered are `portico_runtime.outbound`'s.
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
"""Requests under way at a time; more wait for one of them. More than passwords that wait for their hash (decision 0042)."""

IDLE_SECONDS: Final = 5.0
"""Our services keep a connection for thirty: no request is sent over one that is just being closed."""

MAX_ANSWER: Final = 1024 * 1024
"""Bytes of an answer's body."""

_LEFT_OUT: Final = ("Accept", "Accept-Encoding", "User-Agent")
"""Headers a client sends by itself and no service of ours reads."""


class NoResponse(OSError):
    """The connection ended before there was an answer, or what came was none."""


class ServiceResponse(NamedTuple):
    """The response of a service.

    Attributes:
        headers: in any case of their names; of repeated ones the first.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


class Http(Protocol):
    """Asks one service, however many replicas it has; `ServiceClient` is one."""

    async def request(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> ServiceResponse:
        """Asks once; raises OSError without an answer."""
        ...

    async def start(self) -> None:
        """Begins; must not wait for a service that may be down."""
        ...

    async def close(self) -> None:
        """Closes the connections."""
        ...


def connector() -> BaseConnector:
    """Makes and keeps the connections of one `ServiceClient`.

    A name is looked up for each new connection: the address of a container that was replaced may be another service's at once.
    """
    return TCPConnector(limit=MAX_CONNECTIONS, keepalive_timeout=IDLE_SECONDS, use_dns_cache=False)


class ServiceClient:
    """One service, however many replicas are behind its address."""

    def __init__(self, url: str, *, connect: Callable[[], BaseConnector] = connector) -> None:
        """Opens no connection yet.

        Args:
            url: of the service, or those of its replicas with commas between them, of which each request takes the next;
                the path of a request goes behind its path.
            connect: makes what makes the connections, with the first request.
        """
        self._urls = cycle([one.strip().rstrip("/") for one in url.split(",") if one.strip()])
        self._replicas = url.count(",") + 1
        self._connect = connect
        self._session: ClientSession | None = None

    async def request(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> ServiceResponse:
        """Asks once; where a connection cannot be made, another replica may answer: it is tried twice, or once at each.

        Raises:
            OSError: when there is no connection, and `NoResponse`.
            ValueError: for a path or a header that would be another request.
        """
        with part(method, {"http.request.method": method}) as span:
            if span:
                headers = {**headers, TRACE_PARENT_HEADER: span.trace_parent}
            response = await self._request_any(method, path, headers, body)
            if span:
                span.set("http.response.status_code", response.status)
            return response

    async def start(self) -> None:
        """Nothing to do: the first request connects."""

    async def close(self) -> None:
        """Closes the connections."""
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
