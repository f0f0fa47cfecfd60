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
from copy import copy
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple, TypeVar
from urllib.parse import urlencode

import h11
from portico_contracts.spans import part

from portico_runtime.http_client.addresses import OutboundError, Target, read_target, refuse_private
from portico_runtime.http_client.kept_connections import KeptConnections, Place
from portico_runtime.http_client.outbound_connection import (
    NoResponse,
    OutboundConnection,
    OutboundRequest,
    Unanswered,
    begin,
)
from portico_runtime.settings.networks import read_allow_list
from portico_runtime.settings.sections.outbound import OutboundSection
from portico_runtime.tls.clients import client_context

SECONDS: Final = 5.0
"""Total timeout of a request."""

MAX_BYTES: Final = 64 * 1024
"""Default maximum bytes of a response."""

MAX_CONNECTIONS: Final = 64

_ADDRESS_SECONDS: Final = 1.0
"""To connect to an address that is not the last of its name."""

_RESOLVE_SECONDS: Final = 2.0
"""To resolve a name before a request, which resolves it again."""

Resolve = Callable[[str, int], Awaitable[list[str]]]
T = TypeVar("T")


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
        with suppress(OSError):
            async with asyncio.timeout(_ADDRESS_SECONDS):
                return await connect(address)
    return await connect(last)


class Outbound:
    """All outbound requests. Each uses a new connection to an address checked for it, except by `kept_for`."""

    def __init__(
        self,
        settings: OutboundSection,
        *,
        resolve: Resolve = resolve_with_system,
        seconds: float = SECONDS,
        kept: KeptConnections | None = None,
    ) -> None:
        self._allowed = read_allow_list(settings.outbound_allow)
        self._seconds = seconds
        self._find = resolve
        self._places = asyncio.Semaphore(MAX_CONNECTIONS)
        self._kept = kept or KeptConnections()
        self.owner = ""
        # An unreadable file is an invalid setting, reported at the start. The system's certificates take a megabyte,
        # so they are loaded with the first request.
        self._own_trust = client_context(settings.outbound_ca_file) if settings.outbound_ca_file else None

    def kept_for(self, owner: str) -> Outbound:
        """Returns a client that uses a connection again, for requests of this owner to the same server.

        A request whose used connection ends without a response is sent once more. So it is for requests that take
        effect once, however often they are sent, as the exchange of a code.
        """
        client = copy(self)
        client.owner = owner
        return client

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
        self._kept.close()

    async def _request(
        self,
        method: str,
        url: str,
        headers: list[tuple[bytes, bytes]],
        body: bytes,
        *,
        limit: int | None = MAX_BYTES,
    ) -> OutboundResponse:
        target = read_target(url, self._allowed)
        request = OutboundRequest(method, _authority(target), target.path, headers, body)
        try:
            # Only the host: webhook URLs are secrets. The traceparent is not sent to foreign servers.
            with part(
                f"{method} {target.host}", {"http.request.method": method, "server.address": target.host}
            ) as span:
                async with asyncio.timeout(self._seconds), self._places:
                    response, said = await self._exchange(target, request, limit)
                if span:
                    span.set("http.response.status_code", response.status_code)
        except OutboundError:
            raise
        except (h11.ProtocolError, OSError) as error:
            raise NoResponse("ReadError" if isinstance(error, ConnectionError) else type(error).__name__) from error
        return OutboundResponse(
            response.status_code,
            said,
            _header(response.headers, b"retry-after"),
            _media_type(response.headers),
            _header(response.headers, b"cache-control"),
        )

    async def _exchange(
        self, target: Target, request: OutboundRequest, limit: int | None
    ) -> tuple[h11.Response, bytes]:
        place = Place(self.owner, target.scheme, target.host, target.port)
        if place.owner and (kept := self._kept.take(place)):
            # Otherwise the server ended the connection while it was idle.
            with suppress(Unanswered):
                return await self._use(place, kept, request, limit)
        return await self._use(place, await self._connect(target), request, limit)

    async def _use(
        self, place: Place, connection: OutboundConnection, request: OutboundRequest, limit: int | None
    ) -> tuple[h11.Response, bytes]:
        try:
            answer = await connection.exchange(request, limit)
        except BaseException:
            connection.close()
            raise
        if place.owner:
            self._kept.keep(place, connection)
        else:
            connection.close()
        return answer

    async def _connect(self, target: Target) -> OutboundConnection:
        """Connects to a checked address; TLS still verifies the name."""
        now = self._kept.now()
        tls = (self._own_trust or _system_trust()) if target.scheme == "https" else None
        try:
            plain = await open_socket(target.host, target.port, self._find, self._allowed)
            return await begin(plain, tls, target.host, now)
        except TimeoutError:
            raise
        except OSError as error:
            raise NoResponse("ConnectError") from error


@cache
def _system_trust() -> ssl.SSLContext:
    """Reading the authorities of the system takes 40 ms of processor time."""
    return client_context()


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
