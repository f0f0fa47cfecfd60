"""Client-ID metadata documents in MongoDB, and the limits of fetching them (decision 0112).

They are stored, so that replicas share them, and that tokens stay usable while a host does not respond. A response
without a usable document is not stored: only the limits decide how often an address is requested.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Final, NamedTuple

import msgspec
import structlog
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_runtime.diagnostics.limits import MINUTE, MinuteLimit, PerMinute
from portico_runtime.http_client.addresses import OutboundError
from portico_runtime.http_client.outbound import OutboundResponse
from portico_runtime.http_client.outbound_connection import TooLarge
from portico_runtime.mongo.client import Database, Rows, guarded
from portico_runtime.process.clock import Clock
from pymongo import ASCENDING, IndexModel

from portico_users.applications.metadata_documents.client_documents import (
    MAX_BYTES,
    MAX_KEY_SET,
    ClientDocument,
    read_client_document,
    read_keys,
    unusable,
)
from portico_users.identity_providers.federation.provider_calls import ProviderClient, object_of, status_error
from portico_users.storage.entry import Document
from portico_users.storage.schema import Indexes

log = structlog.get_logger("portico.client_metadata")

NOT_REACHED = ErrorCode(
    "USER-898",
    Kind.UNAVAILABLE,
    "The host of the client-ID metadata document cannot be reached.",
    "Check that it responds within 5 seconds. The log has the cause.",
)
TOO_MANY_FETCHES = ErrorCode(
    "USER-780",
    Kind.TOO_MANY_REQUESTS,
    "Too many client-ID metadata documents were requested.",
    "Wait a minute. Documents of applications that users have allowed something are not affected.",
)

CLIENT_DOCUMENTS: Final = "clientDocuments"
CLIENT_DOCUMENT_INDEXES: Final[Indexes] = {
    CLIENT_DOCUMENTS: (IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),)
}

SHORTEST: Final = 300.0
LONGEST: Final = 86_400.0
"""Seconds for which a document is used: the max-age of the response, within these limits."""

DEFAULT: Final = 3_600.0
FORGET_SECONDS: Final = 90 * 86_400.0

OF_DOCUMENT: Final = PerMinute(of_client=4, in_all=600)
"""Requests of a replica for each document of an application that a user has allowed something."""
OF_ADDRESS: Final = PerMinute(of_client=10, in_all=6_000)
"""The same for all other documents, for each client address."""
OF_ENTRY: Final = PerMinute(of_client=60, in_all=6_000)
"""And for each host in the policies, once a name below it is resolved: made-up names do not use it up."""

_OK: Final = 200
_MAX_AGE: Final = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?([0-9]{1,9})")


class Sought(NamedTuple):
    """A document, the host in the policies that accepts it, and for whom it is fetched.

    `client_address` is the fingerprint of an address, empty where it is unknown, and None where only documents of
    applications that a user has allowed something are fetched.
    """

    client_id: str
    entry: str
    client_address: str | None = ""


class FoundDocument(NamedTuple):
    """`is_due`: it has to be fetched, for which the client address is missing."""

    document: ClientDocument | None
    is_due: bool = False


@dataclass(slots=True)
class ClientDocuments:
    database: Database
    client: ProviderClient
    clock: Clock
    of_document: MinuteLimit = field(init=False)
    of_address: MinuteLimit = field(init=False)
    of_entry: MinuteLimit = field(init=False)
    flights: dict[str, asyncio.Task[ClientDocument | None]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.of_document = MinuteLimit(self.clock, OF_DOCUMENT)
        self.of_address = MinuteLimit(self.clock, OF_ADDRESS)
        self.of_entry = MinuteLimit(self.clock, OF_ENTRY)

    async def find(self, sought: Sought) -> FoundDocument:
        """Returns None if it cannot be used, or was not available for a day. Raises USER-780 and `unavailable`."""
        row = await self._read(sought.client_id)
        now = self.clock.now()
        known = _document_in(row, now) if row else None
        if row and known and 0 < row["until"] - now < LONGEST + SHORTEST:
            return FoundDocument(known)
        is_used = bool(row and row.get("used"))
        if sought.client_address is None and not is_used:
            return FoundDocument(None, is_due=True)
        flight = self.flights.get(sought.client_id)  # concurrent requests for a document share what one brings
        if flight is None:
            admitted = (
                self.of_document.admits(sought.client_id)
                if is_used
                else self.of_address.admits(sought.client_address or "")
            )
            if not admitted:
                return FoundDocument(_or_refuse(known, sought))
            flight = asyncio.create_task(self._renew(sought, row, limited=not is_used))
            self.flights[sought.client_id] = flight
            flight.add_done_callback(partial(self._landed, sought.client_id))
        return FoundDocument(await asyncio.shield(flight))

    async def note_use(self, client_id: str) -> None:
        async with guarded():
            await self._rows.update_one({"_id": client_id}, {"$max": {"used": self.clock.now()}})

    async def last_uses(self, client_ids: Collection[str]) -> dict[str, float]:
        """Returns when users last allowed something, in unix seconds by client id."""
        async with guarded():
            rows = await self._rows.find({"_id": {"$in": list(client_ids)}}, {"used": 1}).to_list(len(client_ids) or 1)
        return {row["_id"]: row.get("used", 0.0) for row in rows}

    def _landed(self, client_id: str, flight: asyncio.Task[ClientDocument | None]) -> None:
        self.flights.pop(client_id, None)
        if not flight.cancelled():
            flight.exception()  # all who waited for it may have been cancelled

    async def _renew(self, sought: Sought, row: Document | None, *, limited: bool) -> ClientDocument | None:
        now, client_id = self.clock.now(), sought.client_id
        known = _document_in(row, now) if row else None
        try:
            if limited and not await self._may_reach(sought):
                return _or_refuse(known, sought)
            document, seconds = await self._fetch(client_id)
        except ServiceError as error:
            if error.id == TOO_MANY_FETCHES.id:
                raise
            log.warning("client metadata document not used", client_id=client_id, error_code=error.id, **error.private)
            # A host that does not respond is no statement; any other response withdraws the document.
            if error.kind is Kind.UNAVAILABLE:
                return known
            if row and row.get("used"):
                await self._write(client_id, {"document": None}, upsert=False)
            elif row:
                await self._forget(client_id)
            return None
        forget_at = datetime.fromtimestamp(now + FORGET_SECONDS, UTC)
        values = {"document": msgspec.to_builtins(document), "at": now, "until": now + seconds, "forgetAt": forget_at}
        await self._write(client_id, values, upsert=True)
        return document

    async def _may_reach(self, sought: Sought) -> bool:
        """Resolves the name, and counts what is then requested. Raises USER-898."""
        try:
            await self.client.resolve(sought.client_id)
        except OutboundError as error:
            raise NOT_REACHED.error(cause=str(error), url=sought.client_id) from error
        return self.of_entry.admits(sought.entry)

    async def _fetch(self, client_id: str) -> tuple[ClientDocument, float]:
        response = await self._get(client_id, MAX_BYTES)
        is_json = response.content_type == "application/json" or response.content_type.endswith("+json")
        # An error of the host is usually a page: its status decides, not its type.
        if response.status == _OK and not is_json:
            raise unusable("content type", content_type=response.content_type[:100])
        document = read_client_document(client_id, object_of(response, client_id))
        if document.jwks_uri:
            key_set = object_of(await self._get(document.jwks_uri, MAX_KEY_SET), document.jwks_uri)
            document = msgspec.structs.replace(document, keys=read_keys(key_set))
        return document, _seconds_of(response)

    async def _get(self, url: str, limit: int) -> OutboundResponse:
        try:
            return await self.client.get(url, limit=limit)
        except TooLarge as error:
            raise status_error(error.status, url) or unusable(f"larger than {limit} bytes", url=url) from error
        except OutboundError as error:
            raise NOT_REACHED.error(cause=str(error), url=url) from error

    async def _read(self, client_id: str) -> Document | None:
        async with guarded():
            found: Document | None = await self._rows.find_one({"_id": client_id})
        return found

    async def _write(self, client_id: str, values: Document, *, upsert: bool) -> None:
        async with guarded():
            await self._rows.update_one({"_id": client_id}, {"$set": values}, upsert=upsert)

    async def _forget(self, client_id: str) -> None:
        async with guarded():
            await self._rows.delete_one({"_id": client_id, "used": {"$exists": False}})

    @property
    def _rows(self) -> Rows:
        return self.database[CLIENT_DOCUMENTS]


def _or_refuse(known: ClientDocument | None, sought: Sought) -> ClientDocument:
    log.warning("too many client metadata documents", client_id=sought.client_id, entry=sought.entry)
    if known is None:
        raise TOO_MANY_FETCHES.error(retry_after=int(MINUTE), client_id=sought.client_id)
    return known


def _document_in(row: Document, now: float) -> ClientDocument | None:
    known = row.get("document")
    if not known or not 0 <= now - row["at"] < LONGEST + SHORTEST:
        return None
    return msgspec.convert(known, ClientDocument)


def _seconds_of(response: OutboundResponse) -> float:
    found = _MAX_AGE.search(response.cache_control.lower())
    return min(max(float(found[1]) if found else DEFAULT, SHORTEST), LONGEST)
