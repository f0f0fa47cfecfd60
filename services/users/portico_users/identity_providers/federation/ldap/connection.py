"""Connections to LDAP servers: to a checked address, TLS before anything else, within one deadline."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from portico_contracts.spans import part
from portico_oauth.errors import ServiceError
from portico_runtime.http_client.addresses import OutboundError
from portico_runtime.http_client.outbound import Resolve, open_socket
from portico_runtime.tls.clients import client_context

from portico_users.identity_providers.federation.errors import (
    CERTIFICATE_REFUSED,
    DIRECTORY_REFUSED,
    ENTRY_TOO_LARGE,
    NO_START_TLS,
    NOT_REACHABLE,
    SEVERAL_ENTRIES,
    UNREADABLE_ANSWER,
)
from portico_users.identity_providers.federation.ldap.ber import (
    MAX_GROUPS,
    SEQUENCE,
    MalformedElement,
    TooLarge,
    length_octets,
)
from portico_users.identity_providers.federation.ldap.messages import (
    ASK_PASSWORD_STATE,
    BIND_RESPONSE,
    EXTENDED_RESPONSE,
    NO_SUCH_OBJECT,
    NOT_NOW,
    SEARCH_DONE,
    SEARCH_ENTRY,
    SEARCH_REFERENCE,
    SIZE_LIMIT_EXCEEDED,
    SUCCESS,
    UNSOLICITED,
    Entry,
    Response,
    Search,
    bind_request,
    message,
    more_groups_request,
    read_entry,
    read_message,
    search_request,
    start_tls_request,
    unbind_request,
)
from portico_users.identity_providers.ldap_rules import LdapServer

MAX_MESSAGE: Final = 512 * 1024
"""In octets; an entry may include attributes that were not requested."""

MAX_MESSAGES: Final = 100
"""Messages per search: two entries, and referrals, which are not followed."""

_CLOSING_SECONDS: Final = 1.0

Receive = Callable[[int], Awaitable[bytes]]


class LdapConnection:
    """A connection; operations run one at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, first_id: int) -> None:
        self._reader = reader
        self._writer = writer
        self._id = first_id

    async def bind(self, dn: bytes, password: str) -> Response:
        """Performs a simple bind (RFC 4511 section 4.2)."""
        response = await self._ask(bind_request(dn, password), ASK_PASSWORD_STATE)
        if response.kind != BIND_RESPONSE:
            raise MalformedElement("no bind response")
        _result_of(response)
        return response

    async def search(self, search: Search) -> list[Entry]:
        """Returns the entries; referrals are not followed, and the size limit is enforced."""
        found = await self._search(search, search_request(search))
        return [await self._with_all_groups(search, found[0])] if len(found) == 1 else found

    async def _with_all_groups(self, search: Search, entry: Entry) -> Entry:
        """Active Directory sends 1500 values at once; memberships must not end because the rest was not read."""
        while entry.more_from:
            parts = await self._search(search, more_groups_request(entry, search), entry.more_from)
            if len(parts) != 1:
                raise MalformedElement("no further groups")
            groups = entry.attributes[search.groups] + parts[0].attributes[search.groups]
            if len(groups) > MAX_GROUPS:
                raise TooLarge("too many groups")
            entry = Entry(entry.dn, entry.attributes | {search.groups: groups}, parts[0].more_from)
        return entry

    async def _search(self, search: Search, request: bytes, first_group: int = 0) -> list[Entry]:
        found: list[Entry] = []
        response = await self._ask(request)
        for _ in range(MAX_MESSAGES):
            if response.kind == SEARCH_DONE:
                code = _result_of(response)
                if code == SUCCESS:
                    return found
                if code == SIZE_LIMIT_EXCEEDED:
                    raise SEVERAL_ENTRIES.error(part="size limit")
                if code == NO_SUCH_OBJECT:
                    raise DIRECTORY_REFUSED.error(part="search", cause="the base DN is not there")
                raise DIRECTORY_REFUSED.error(part="search", result=code)
            if response.kind == SEARCH_ENTRY:
                found.append(read_entry(response.content, search.groups, first_group))
            elif response.kind != SEARCH_REFERENCE:
                raise MalformedElement("no search response")
            if len(found) >= search.size_limit:
                return found
            response = await self._response()
        raise TooLarge("too many messages")

    def close(self) -> None:
        if not self._writer.transport.is_closing():
            self._writer.write(message(self._id + 1, unbind_request()))
        self._writer.transport.abort()

    async def _ask(self, operation: bytes, controls: bytes = b"") -> Response:
        self._id += 1
        self._writer.write(message(self._id, operation, controls))
        await self._writer.drain()
        return await self._response()

    async def _response(self) -> Response:
        return await receive(self._reader.readexactly, self._id)


class LdapConnections:
    """Opens connections; like `portico_runtime.http_client.outbound`, checks every address of a host name."""

    def __init__(self, resolve: Resolve, allowed: frozenset[tuple[str, int]], ca_file: str) -> None:
        self._resolve = resolve
        self._allowed = allowed
        self._ca_file = ca_file
        self._context: ssl.SSLContext | None = None

    @asynccontextmanager
    async def connect(self, server: LdapServer, root_ca: str, seconds: float) -> AsyncIterator[LdapConnection]:
        """Yields a TLS connection for all requests within a time limit in seconds."""
        connection: LdapConnection | None = None
        try:
            with part("LDAP", {"server.address": server.host}):
                async with asyncio.timeout(seconds):
                    connection = await self._open(server, root_ca)
                    yield connection
        except ServiceError:
            raise
        except ssl.SSLCertVerificationError as error:
            raise CERTIFICATE_REFUSED.error(cause=error.verify_message, host=server.host) from error
        except TooLarge as error:
            raise ENTRY_TOO_LARGE.error(cause=str(error), host=server.host) from error
        except MalformedElement as error:
            raise UNREADABLE_ANSWER.error(cause=str(error), host=server.host) from error
        except (OutboundError, OSError, EOFError, TimeoutError) as error:
            raise NOT_REACHABLE.error(cause=type(error).__name__, host=server.host) from error
        finally:
            if connection:
                connection.close()

    async def _open(self, server: LdapServer, root_ca: str) -> LdapConnection:
        context = await self._find_context(root_ca)
        plain = await open_socket(server.host, server.port, self._resolve, self._allowed)
        try:
            if not server.tls_first:
                await _start_tls(plain)
        except BaseException:
            plain.close()
            raise
        reader, writer = await asyncio.open_connection(
            sock=plain,
            ssl=context,
            server_hostname=server.host,
            ssl_shutdown_timeout=_CLOSING_SECONDS,
        )
        return LdapConnection(reader, writer, first_id=1)

    async def _find_context(self, root_ca: str) -> ssl.SSLContext:
        if root_ca:
            return client_context(pem=root_ca)
        if self._context is None:  # the system's authorities take 40 ms to read
            self._context = await asyncio.to_thread(client_context, self._ca_file)
        return self._context


def _result_of(response: Response) -> int:
    """Raises USER-961 if the server handles no requests at present, so that the next one is asked."""
    code = response.result
    if code in NOT_NOW:
        raise NOT_REACHABLE.error(cause=f"result code {code}")
    return code


async def receive(octets: Receive, id: int) -> Response:
    """Reads the response to the request; any other message is an error.

    After a notice of disconnection, for example at a restart, the server is as unreachable as one that closed the
    connection (RFC 4511 section 4.4.1).
    """
    head = await octets(2)
    count = length_octets(head[1])
    length = int.from_bytes(await octets(count), "big") if count else head[1]
    if head[0] != SEQUENCE:
        raise MalformedElement("message")
    if length > MAX_MESSAGE:
        raise TooLarge("message")
    response = read_message(await octets(length))
    if response.id == UNSOLICITED:
        raise ConnectionAbortedError
    if response.id != id:
        raise MalformedElement("not the answer to this request")
    return response


async def _start_tls(plain: socket.socket) -> None:
    """Reads no octet beyond the response, so that injected plaintext cannot become part of the session."""
    loop = asyncio.get_running_loop()

    async def octets(count: int) -> bytes:
        found = b""
        while len(found) < count:
            part = await loop.sock_recv(plain, count - len(found))
            if not part:
                raise EOFError
            found += part
        return found

    await loop.sock_sendall(plain, message(1, start_tls_request()))
    response = await receive(octets, 1)
    if response.kind != EXTENDED_RESPONSE or _result_of(response) != SUCCESS:
        raise NO_START_TLS.error()
