"""Requests to identity providers: limited concurrency, one deadline, and only JSON objects (IP-03)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final, Protocol
from weakref import WeakValueDictionary

from portico_oauth.errors import ServiceError
from portico_oauth.json_depth import is_deeper, may_be_deeper
from portico_runtime.http_client.addresses import OutboundError
from portico_runtime.http_client.outbound import MAX_BYTES, OutboundResponse
from portico_runtime.http_client.outbound_connection import TooLarge
from prometheus_client.metrics import Counter

from portico_users.identity_providers.federation.errors import NOT_REACHABLE, PROVIDER_BUSY, UNREADABLE_ANSWER
from portico_users.identity_providers.idp import Idp
from portico_users.values.records import version_of

SECONDS: Final = 10.0
"""For all requests of one sign-in to a provider."""

AT_ONCE: Final = 32
OF_ONE_PROVIDER: Final = 4
"""Concurrent sign-ins per provider; others wait within their deadline."""

MAX_ELEMENTS: Final = 10_000
"""Members and values of a document, counted by separators before parsing; this many block the event loop for 8
ms (RX-08).
"""

_OK: Final = 200
NOT_NOW: Final = frozenset({408, 429})
"""Request Timeout and Too Many Requests: like an error of the server, no statement about what was asked."""


UNREACHABLE: Final = Counter(
    "portico_idp_requests_failed_total", "Requests to identity providers that failed without a response."
)


class ProviderClient(Protocol):
    """HTTP client; see `portico_runtime.http_client.outbound`, which checks the address of each connection."""

    async def get(
        self, url: str, headers: Mapping[str, str] | None = None, *, limit: int = MAX_BYTES
    ) -> OutboundResponse: ...

    async def resolve(self, url: str) -> None:
        """Resolves the name of a URL, and checks its addresses. Raises `OutboundError`."""

    async def exchange(self, url: str, fields: Mapping[str, str], headers: Mapping[str, str]) -> OutboundResponse: ...

    def kept_for(self, owner: str) -> ProviderClient:
        """Returns a client that uses the connections of this owner again."""


def client_of(idp: Idp, client: ProviderClient) -> ProviderClient:
    """Returns a client with connections of this provider, in this version, alone."""
    return client.kept_for(f"{idp.id} {version_of(idp)}")


class ProviderCalls:
    """Limits concurrent sign-ins, so that a slow provider delays only its own users."""

    def __init__(self, *, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._all = asyncio.Semaphore(AT_ONCE)
        self._each: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def place(self, idp_id: str) -> AsyncIterator[None]:
        """Reserves a slot for requests to a provider until the deadline. Raises USER-978 on timeout."""
        # Acquire the provider's own limit first: waiting for a slow provider must not take a global slot.
        own = self._each.setdefault(idp_id, asyncio.Semaphore(OF_ONE_PROVIDER))
        try:
            async with asyncio.timeout(self._seconds), own, self._all:
                yield
        except TimeoutError:
            raise PROVIDER_BUSY.error(idp=idp_id) from None


def not_reached(error: OutboundError, url: str) -> ServiceError:
    """Returns USER-961 and counts the failed request; for a response that is too large the error of its status."""
    if isinstance(error, TooLarge):
        return status_error(error.status, url) or UNREADABLE_ANSWER.error(cause=str(error), url=url)
    UNREACHABLE.inc()
    return NOT_REACHABLE.error(cause=str(error), url=url)


async def fetch_object(
    client: ProviderClient, url: str, headers: Mapping[str, str] | None = None, *, limit: int = MAX_BYTES
) -> dict[str, object]:
    """Returns the JSON object at a URL. Raises USER-961 if unreachable, USER-962 for any other response."""
    try:
        answer = await client.get(url, headers, limit=limit)
    except OutboundError as error:
        raise not_reached(error, url) from error
    return object_of(answer, url)


async def fetch_list(client: ProviderClient, url: str, headers: Mapping[str, str]) -> list[object]:
    try:
        answer = await client.get(url, headers)
    except OutboundError as error:
        raise not_reached(error, url) from error
    found = _read(_body_of(answer, url), url)
    if not isinstance(found, list):
        raise UNREADABLE_ANSWER.error(cause="no list", url=url)
    return found


def object_of(answer: OutboundResponse, url: str) -> dict[str, object]:
    return read_object(_body_of(answer, url), url)


def read_object(body: bytes, url: str) -> dict[str, object]:
    """Parses a JSON object with unique members (RFC 8259 section 4). Raises USER-962."""
    found = _read(body, url)
    if not isinstance(found, dict):
        raise UNREADABLE_ANSWER.error(cause="no object", url=url)
    return found


def _body_of(answer: OutboundResponse, url: str) -> bytes:
    if error := status_error(answer.status, url):
        raise error
    return answer.body


def status_error(status: int, url: str) -> ServiceError | None:
    """Returns USER-961 for an error of the server, USER-962 for any other status except 200."""
    if status == _OK:
        return None
    code = NOT_REACHABLE if status >= 500 or status in NOT_NOW else UNREADABLE_ANSWER
    return code.error(cause=f"status {status}", url=url)


def _read(body: bytes, url: str) -> object:
    if sum(map(body.count, (b",", b"[", b"{"))) > MAX_ELEMENTS:
        raise UNREADABLE_ANSWER.error(cause="too many elements", url=url)
    try:
        text = body.decode()
        found = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
        if may_be_deeper(body) and is_deeper(found):
            raise ValueError("nested too deep")
        json.dumps(found, ensure_ascii=False).encode()  # fails on lone surrogates, which no store can hold
    except (ValueError, RecursionError) as error:
        raise UNREADABLE_ANSWER.error(cause=type(error).__name__, url=url) from None
    return found


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("repeated member")
    return members


def _refuse(name: str) -> float:
    raise ValueError(name)
