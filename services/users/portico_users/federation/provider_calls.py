"""How identity providers are asked: few at a time, within one deadline, and only JSON objects are read (IP-03)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final, Protocol
from weakref import WeakValueDictionary

from portico_oauth.errors import ServiceError
from portico_oauth.json_depth import is_deeper, may_be_deeper
from portico_runtime.addresses import OutboundError
from portico_runtime.outbound import MAX_BYTES, OutboundResponse
from prometheus_client import Counter

from portico_users.federation.refusals import NOT_REACHABLE, PROVIDER_BUSY, UNREADABLE_ANSWER

SECONDS: Final = 10.0
"""For all that one sign-in asks of a provider."""

AT_ONCE: Final = 32
OF_ONE_PROVIDER: Final = 4
"""So many sign-ins ask at the same time; others wait within their deadline."""

MAX_ELEMENTS: Final = 10_000
"""Members and values of a document, counted by their separators before any is built: 8 ms of the event loop (RX-08)."""

_OK: Final = 200


UNREACHABLE: Final = Counter(
    "portico_idp_requests_failed_total", "Requests to identity providers that failed without a response."
)


class ProviderClient(Protocol):
    """The way out; see `portico_runtime.outbound`, which looks at every address anew."""

    async def get(
        self, url: str, headers: Mapping[str, str] | None = None, *, limit: int = MAX_BYTES
    ) -> OutboundResponse:
        """Fetches a document of so many bytes at most; raises `OutboundError`."""
        ...

    async def exchange(self, url: str, fields: Mapping[str, str], headers: Mapping[str, str]) -> OutboundResponse:
        """Posts a form and reads the answer; raises `OutboundError`."""
        ...


class ProviderCalls:
    """Lets few sign-ins ask at once, so that a provider that answers slowly delays its own people only."""

    def __init__(self, *, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._all = asyncio.Semaphore(AT_ONCE)
        self._each: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def place(self, idp_id: str) -> AsyncIterator[None]:
        """A place to ask one provider from, until the deadline; USER-978 when that is over."""
        # The provider's own first: who waits for a slow provider takes no place from the others.
        own = self._each.setdefault(idp_id, asyncio.Semaphore(OF_ONE_PROVIDER))
        try:
            async with asyncio.timeout(self._seconds), own, self._all:
                yield
        except TimeoutError:
            raise PROVIDER_BUSY.error(idp=idp_id) from None


def not_reached(error: OutboundError, url: str) -> ServiceError:
    """USER-961, counted: of every request to a provider that got no answer."""
    UNREACHABLE.inc()
    return NOT_REACHABLE.error(cause=str(error), url=url)


async def fetch_object(
    client: ProviderClient, url: str, headers: Mapping[str, str] | None = None, *, limit: int = MAX_BYTES
) -> dict[str, object]:
    """The JSON object at an address; USER-961 where it cannot be reached, USER-962 for every other answer."""
    try:
        answer = await client.get(url, headers, limit=limit)
    except OutboundError as error:
        raise not_reached(error, url) from error
    return object_of(answer, url)


async def fetch_list(client: ProviderClient, url: str, headers: Mapping[str, str]) -> list[object]:
    """The JSON array at an address; raises as `fetch_object`."""
    try:
        answer = await client.get(url, headers)
    except OutboundError as error:
        raise not_reached(error, url) from error
    found = _read(_body_of(answer, url), url)
    if not isinstance(found, list):
        raise UNREADABLE_ANSWER.error(cause="no list", url=url)
    return found


def object_of(answer: OutboundResponse, url: str) -> dict[str, object]:
    """The JSON object of an answer with status 200; USER-961 for a server error, USER-962 for every other one."""
    return read_object(_body_of(answer, url), url)


def read_object(body: bytes, url: str) -> dict[str, object]:
    """The JSON object of some bytes, whose members must be unique (RFC 8259 §4); USER-962 for everything else."""
    found = _read(body, url)
    if not isinstance(found, dict):
        raise UNREADABLE_ANSWER.error(cause="no object", url=url)
    return found


def _body_of(answer: OutboundResponse, url: str) -> bytes:
    if answer.status >= 500:
        raise NOT_REACHABLE.error(cause=f"status {answer.status}", url=url)
    if answer.status != _OK:
        raise UNREADABLE_ANSWER.error(cause=f"status {answer.status}", url=url)
    return answer.body


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
