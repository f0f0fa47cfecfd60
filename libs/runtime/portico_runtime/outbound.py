"""Requests to addresses others registered: https, public, resolved once and pinned, short and small (IP-03).

The name is resolved here, every address it has is looked at, and the connection goes to one of these: what a second
resolution would return does not matter. Redirects are not followed. No proxy of the environment is used.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import urlencode

import httpcore
from portico_contracts.spans import part

from portico_runtime.addresses import (
    AddressNotAllowed,
    OutboundError,
    Target,
    read_allow_list,
    read_target,
    refuse_private,
)
from portico_runtime.settings import OutboundSection

SECONDS: Final = 5.0
"""A request, all in all."""

MAX_BYTES: Final = 1024 * 1024
"""Of an answer."""

MAX_CONNECTIONS: Final = 64

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""The addresses of a name."""


class NoResponse(OutboundError):
    """The server did not answer in time, or the answer could not be read."""


@dataclass(frozen=True, slots=True)
class OutboundResponse:
    """What came back; a redirect is an answer like any other.

    Attributes:
        retry_after: the header of that name as it was sent; empty without one.
        content_type: the media type of the body in lower case, without parameters; empty where none was sent.
    """

    status: int
    body: bytes
    retry_after: str = ""
    content_type: str = ""


class ResponseHead(NamedTuple):
    """How a message was taken: the status of the answer, and its header Retry-After, empty without one."""

    status: int
    retry_after: str = ""


async def resolve_with_system(host: str, port: int) -> list[str]:
    """The addresses the machine's resolver knows."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


async def find_address(host: str, port: int, resolve: Resolve, allowed: frozenset[tuple[str, int]]) -> str:
    """The address to connect to, resolved once; every one the name has was looked at.

    Args:
        allowed: hosts and ports that may be private.

    Raises:
        OutboundError: `AddressNotAllowed` where one is not public, `NoResponse` where there is none.
    """
    try:
        found = await resolve(host, port)
    except (OSError, UnicodeError) as error:
        raise NoResponse("the name cannot be resolved") from error
    if not found:
        raise NoResponse("the name has no address")
    if (host, port) not in allowed:
        # All of them: a name with a public and a private address is a trick.
        for text in found:
            refuse_private(ipaddress.ip_address(text.partition("%")[0]))
    return found[0]


class Outbound:
    """The one way out. Every request has a connection of its own, to an address looked at for it."""

    def __init__(
        self, settings: OutboundSection, *, resolve: Resolve = resolve_with_system, seconds: float = SECONDS
    ) -> None:
        self._allowed = read_allow_list(settings.outbound_allow)
        self._seconds = seconds
        self._backend = _Pinned(httpcore.AnyIOBackend(), resolve, self._allowed)
        # A file that cannot be read is a setting that is refused at the start. The system's authorities are some hundred,
        # which take a megabyte: they are read with the first request.
        self._pool = self._new_pool(settings.outbound_ca_file) if settings.outbound_ca_file else None

    async def post_form(self, url: str, fields: Mapping[str, str]) -> int:
        """Posts a form; the status of the answer.

        Raises:
            OutboundError: `AddressNotAllowed` before anything was sent, `NoResponse`.
        """
        body = urlencode(fields).encode()
        headers = [
            (b"Content-Type", b"application/x-www-form-urlencoded"),
            (b"Content-Length", str(len(body)).encode()),
        ]
        return (await self._request("POST", url, headers, body)).status

    async def exchange(self, url: str, fields: Mapping[str, str], headers: Mapping[str, str]) -> OutboundResponse:
        """Posts a form and reads the answer, as a token endpoint is asked (RFC 6749 §4.1.3).

        Args:
            headers: added to those of a form, such as ``Authorization``.

        Raises:
            OutboundError: as `post_form`.
        """
        body = urlencode(fields).encode()
        sent = {
            "Accept": "application/json",
            "Content-Type": "application/x-www-form-urlencoded",
            "Content-Length": str(len(body)),
            **headers,
        }
        return await self._request("POST", url, _encoded(sent), body)

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> ResponseHead:
        """Posts a message; the body of the answer is not read.

        Raises:
            OutboundError: as `post_form`.
        """
        sent = {**headers, "Content-Length": str(len(body))}
        answer = await self._request("POST", url, _encoded(sent), body, read=False)
        return ResponseHead(answer.status, answer.retry_after)

    async def get(self, url: str, headers: Mapping[str, str] | None = None) -> OutboundResponse:
        """Fetches a document.

        Args:
            headers: added to ``Accept``, such as ``Authorization``.

        Raises:
            OutboundError: as `post_form`.
        """
        return await self._request("GET", url, _encoded({"Accept": "application/json", **(headers or {})}), b"")

    async def start(self) -> None:
        """Nothing to begin: connections are made when they are needed."""

    async def close(self) -> None:
        """Closes all connections."""
        if self._pool:
            await self._pool.aclose()

    def _new_pool(self, ca_file: str | None) -> httpcore.AsyncConnectionPool:
        return httpcore.AsyncConnectionPool(
            ssl_context=ssl.create_default_context(cafile=ca_file),
            max_connections=MAX_CONNECTIONS,
            max_keepalive_connections=0,
            network_backend=self._backend,
        )

    async def _request(
        self, method: str, url: str, headers: list[tuple[bytes, bytes]], body: bytes, *, read: bool = True
    ) -> OutboundResponse:
        target = read_target(url, self._allowed)
        address = httpcore.URL(
            scheme=target.scheme.encode(), host=target.host.encode(), port=target.port, target=target.path.encode()
        )
        shared = [(b"Host", _authority(target)), (b"User-Agent", b"portico")]
        self._pool = self._pool or self._new_pool(None)
        asked = self._pool.stream(method, address, headers=[*shared, *headers], content=body)
        try:
            # The host alone: addresses of webhooks are secrets. And it learns nothing of our trace.
            with part(
                f"{method} {target.host}", {"http.request.method": method, "server.address": target.host}
            ) as span:
                async with asyncio.timeout(self._seconds), asked as response:
                    if span:
                        span.set("http.response.status_code", response.status)
                    said = await _read(response.aiter_stream()) if read else b""
                    return OutboundResponse(
                        response.status, said, _header(response.headers, b"retry-after"), _media_type(response.headers)
                    )
        except OutboundError:
            raise
        except (
            httpcore.NetworkError,
            httpcore.TimeoutException,
            httpcore.ProtocolError,
            httpcore.PoolTimeout,
            OSError,
            TimeoutError,
        ) as error:
            raise NoResponse(type(error).__name__) from error


class _Pinned(httpcore.AsyncNetworkBackend):
    """Connects to an address that was looked at; TLS still verifies the name."""

    def __init__(
        self, inner: httpcore.AsyncNetworkBackend, resolve: Resolve, allowed: frozenset[tuple[str, int]]
    ) -> None:
        self._inner = inner
        self._resolve = resolve
        self._allowed = allowed

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's own signature
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """See `httpcore.AsyncNetworkBackend.connect_tcp`."""
        address = await find_address(host, port, self._resolve, self._allowed)
        return await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's own signature
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """There is no way out over one."""
        raise AddressNotAllowed("not a network address")

    async def sleep(self, seconds: float) -> None:
        """See `httpcore.AsyncNetworkBackend.sleep`."""
        await self._inner.sleep(seconds)


async def _read(chunks: AsyncIterable[bytes]) -> bytes:
    body = bytearray()
    async for chunk in chunks:
        body += chunk
        if len(body) > MAX_BYTES:
            raise NoResponse("the answer is too large")
    return bytes(body)


def _encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]


def _header(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> str:
    return next((value.decode("latin-1") for name, value in headers if name.lower() == wanted), "")


def _media_type(headers: Iterable[tuple[bytes, bytes]]) -> str:
    return _header(headers, b"content-type").partition(";")[0].strip().lower()


def _authority(target: Target) -> bytes:
    host = f"[{target.host}]" if ":" in target.host else target.host
    default = {"https": 443, "http": 80}[target.scheme]
    return (host if target.port == default else f"{host}:{target.port}").encode()
