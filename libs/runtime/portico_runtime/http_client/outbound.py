"""Requests to user-supplied URLs: https, public, resolved once and pinned, with limits on time and size (IP-03).

The name is resolved here, all its addresses are checked, and the connection uses the first of them that accepts it,
so DNS rebinding has no effect. Redirects are not followed. Proxy variables of the environment are ignored.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import urlencode

import httpcore
from portico_contracts.spans import part

from portico_runtime.http_client.addresses import OutboundError, Target, read_target, refuse_private
from portico_runtime.settings.networks import read_allow_list
from portico_runtime.settings.sections.outbound import OutboundSection
from portico_runtime.tls.clients import client_context

SECONDS: Final = 5.0
"""Total timeout of a request."""

MAX_BYTES: Final = 64 * 1024
"""Default maximum bytes of a response."""

MAX_LINES: Final = 5_000
"""Maximum lines of a response's head and chunks: each costs as much as a hundred bytes of a body."""

_SLICE: Final = 4 * 1024
"""Bytes read and parsed at a time: in the smallest chunks 10 ms of the event loop."""

MAX_CONNECTIONS: Final = 64

_ADDRESS_SECONDS: Final = 1.0
"""To connect to an address that is not the last of its name."""

_RESOLVE_SECONDS: Final = 2.0
"""To resolve a name before a request, which resolves it again."""

Resolve = Callable[[str, int], Awaitable[list[str]]]
T = TypeVar("T")


class NoResponse(OutboundError):
    pass


class TooLarge(NoResponse):
    """A response over the limit of its body, which was not read to its end."""

    def __init__(self, status: int) -> None:
        super().__init__("the response is too large")
        self.status = status


@dataclass(frozen=True, slots=True)
class OutboundResponse:
    """`retry_after` and `cache_control` are the headers as sent, `content_type` is in lower case without parameters.

    They are empty if absent.
    """

    status: int
    body: bytes
    retry_after: str = ""
    content_type: str = ""
    cache_control: str = ""


class ResponseHead(NamedTuple):
    status: int
    retry_after: str = ""


async def resolve_with_system(host: str, port: int) -> list[str]:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


async def find_addresses(host: str, port: int, resolve: Resolve, allowed: frozenset[tuple[str, int]]) -> list[str]:
    """Resolves a name once and checks all addresses; `allowed` are hosts and ports that may be private."""
    try:
        found = await resolve(host, port)
    except (OSError, UnicodeError) as error:
        raise NoResponse("the name cannot be resolved") from error
    if not found:
        raise NoResponse("the name has no address")
    if (host, port) not in allowed:
        # All of them: a name with both a public and a private address is an attack.
        for text in found:
            refuse_private(ipaddress.ip_address(text.partition("%")[0]))
    return found


async def open_socket(host: str, port: int, resolve: Resolve, allowed: frozenset[tuple[str, int]]) -> socket.socket:
    """Connects to a name, whose addresses are checked. Raises `OutboundError` or `OSError`."""

    async def connect(address: str) -> socket.socket:
        plain = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
        try:
            plain.settimeout(0)
            await asyncio.get_running_loop().sock_connect(plain, (address, port))
        except BaseException:
            plain.close()
            raise
        return plain

    return await _first_connected(await find_addresses(host, port, resolve, allowed), connect)


async def _first_connected(addresses: list[str], connect: Callable[[str], Awaitable[T]]) -> T:
    *others, last = addresses
    for address in others:
        with suppress(OSError, httpcore.ConnectError, httpcore.ConnectTimeout):
            async with asyncio.timeout(_ADDRESS_SECONDS):
                return await connect(address)
    return await connect(last)


class Outbound:
    """All outbound requests. Each uses a new connection to an address checked for it."""

    def __init__(
        self, settings: OutboundSection, *, resolve: Resolve = resolve_with_system, seconds: float = SECONDS
    ) -> None:
        self._allowed = read_allow_list(settings.outbound_allow)
        self._seconds = seconds
        self._find = resolve
        self._backend = _Pinned(httpcore.AnyIOBackend(), resolve, self._allowed)
        # An unreadable file is an invalid setting, reported at the start. The system's certificates take a megabyte,
        # so they are loaded with the first request.
        self._pool = self._new_pool(settings.outbound_ca_file) if settings.outbound_ca_file else None

    async def post_form(self, url: str, fields: Mapping[str, str]) -> int:
        """Raises AddressNotAllowed before anything was sent, or NoResponse."""
        body = urlencode(fields).encode()
        headers = [
            (b"Content-Type", b"application/x-www-form-urlencoded"),
            (b"Content-Length", str(len(body)).encode()),
        ]
        return (await self._request("POST", url, headers, body)).status

    async def exchange(self, url: str, fields: Mapping[str, str], headers: Mapping[str, str]) -> OutboundResponse:
        """Posts a form and returns the response, as for a token endpoint (RFC 6749 section 4.1.3)."""
        body = urlencode(fields).encode()
        sent = {
            "Accept": "application/json",
            "Content-Type": "application/x-www-form-urlencoded",
            "Content-Length": str(len(body)),
            **headers,
        }
        return await self._request("POST", url, _encoded(sent), body)

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> ResponseHead:
        """Posts a message; the response body is not read."""
        sent = {**headers, "Content-Length": str(len(body))}
        answer = await self._request("POST", url, _encoded(sent), body, limit=None)
        return ResponseHead(answer.status, answer.retry_after)

    async def call(self, url: str, body: bytes, headers: Mapping[str, str]) -> OutboundResponse:
        """Posts a message and returns the response."""
        sent = {"Accept": "application/json", **headers, "Content-Length": str(len(body))}
        return await self._request("POST", url, _encoded(sent), body)

    async def get(
        self, url: str, headers: Mapping[str, str] | None = None, *, limit: int = MAX_BYTES
    ) -> OutboundResponse:
        """Fetches a document of at most `limit` bytes."""
        sent = _encoded({"Accept": "application/json", **(headers or {})})
        return await self._request("GET", url, sent, b"", limit=limit)

    async def request(
        self, method: str, url: str, body: bytes, headers: Mapping[str, str], *, limit: int = MAX_BYTES
    ) -> OutboundResponse:
        """Sends a request of any method and returns the response, of at most `limit` bytes."""
        sent = {**headers, "Content-Length": str(len(body))} if body or method in ("POST", "PUT", "PATCH") else headers
        return await self._request(method, url, _encoded(sent), body, limit=limit)

    async def resolve(self, url: str) -> None:
        """Only resolves the name, and checks its addresses as a request does. Raises AddressNotAllowed or NoResponse."""
        target = read_target(url, self._allowed)
        try:
            async with asyncio.timeout(_RESOLVE_SECONDS):
                await find_addresses(target.host, target.port, self._find, self._allowed)
        except TimeoutError as error:
            raise NoResponse(type(error).__name__) from error

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        if self._pool:
            await self._pool.aclose()

    def _new_pool(self, ca_file: str | None) -> httpcore.AsyncConnectionPool:
        return httpcore.AsyncConnectionPool(
            ssl_context=client_context(ca_file) if ca_file else _system_trust(),
            max_connections=MAX_CONNECTIONS,
            max_keepalive_connections=0,
            network_backend=self._backend,
        )

    async def _request(
        self, method: str, url: str, headers: list[tuple[bytes, bytes]], body: bytes, *, limit: int | None = MAX_BYTES
    ) -> OutboundResponse:
        target = read_target(url, self._allowed)
        address = httpcore.URL(
            scheme=target.scheme.encode(), host=target.host.encode(), port=target.port, target=target.path.encode()
        )
        shared = [(b"Host", _authority(target)), (b"User-Agent", b"portico")]
        self._pool = self._pool or self._new_pool(None)
        asked = self._pool.stream(method, address, headers=[*shared, *headers], content=body)
        try:
            # Only the host: webhook URLs are secrets. The traceparent is not sent to foreign servers.
            with part(
                f"{method} {target.host}", {"http.request.method": method, "server.address": target.host}
            ) as span:
                async with asyncio.timeout(self._seconds), asked as response:
                    if span:
                        span.set("http.response.status_code", response.status)
                    said = b"" if limit is None else await _read(response, limit)
                    return OutboundResponse(
                        response.status,
                        said,
                        _header(response.headers, b"retry-after"),
                        _media_type(response.headers),
                        _header(response.headers, b"cache-control"),
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
    """Connects to a checked address; TLS still verifies the name."""

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
        async def connect(address: str) -> httpcore.AsyncNetworkStream:
            return await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)

        return _Sliced(await _first_connected(await find_addresses(host, port, self._resolve, self._allowed), connect))

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)


class _Sliced(httpcore.AsyncNetworkStream):
    """Reads small slices and yields in between: a server determines how costly its response is to parse (RX-08)."""

    def __init__(self, inner: httpcore.AsyncNetworkStream) -> None:
        self._inner = inner
        self._lines = 0

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 - as above
        await asyncio.sleep(0)
        data = await self._inner.read(min(max_bytes, _SLICE), timeout)
        self._lines += data.count(b"\n")
        if self._lines > MAX_LINES:
            raise NoResponse("the response has too many lines")
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109 - as above
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - as above
    ) -> httpcore.AsyncNetworkStream:
        return _Sliced(await self._inner.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


@cache
def _system_trust() -> ssl.SSLContext:
    """Reading the authorities of the system takes 40 ms of processor time."""
    return client_context()


async def _read(response: httpcore.Response, limit: int) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_stream():
        body += chunk
        if len(body) > limit:
            raise TooLarge(response.status)
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
