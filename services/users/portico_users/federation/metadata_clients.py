"""Applications that identify themselves by the URL of a client-ID metadata document, with the documents in MongoDB.

The documents are stored, so that replicas share them, and that tokens stay usable while a host does not respond.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final
from weakref import WeakValueDictionary

import msgspec
import structlog
from portico_contracts.users import AccessTokenType, AuthMethod, ClientFound, Consent, GetClient
from portico_oauth.client_id_urls import host_of_client_id
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_runtime.addresses import OutboundError
from portico_runtime.clock import Clock
from portico_runtime.diagnostics.limits import MinuteLimit, PerMinute
from portico_runtime.mongo import Database, Rows, guarded
from portico_runtime.outbound import OutboundResponse, TooLarge
from pymongo import ASCENDING, IndexModel

from portico_users.federation.client_documents import (
    MAX_BYTES,
    MAX_KEY_SET,
    ClientDocument,
    read_client_document,
    read_keys,
    unusable,
)
from portico_users.federation.provider_calls import ProviderClient, object_of, status_error
from portico_users.kernel.entry import Document
from portico_users.kernel.names import MAX_LENGTH
from portico_users.kernel.records import State
from portico_users.kernel.schema import Indexes
from portico_users.resources.apps.app_record import App
from portico_users.resources.apps.metadata_places import MetadataPlaces, Placed, app_of_document
from portico_users.resources.apps.store import AppQueries, MongoApps
from portico_users.resources.projects.store import OwnedProject

log = structlog.get_logger("portico.client_metadata")

NOT_REACHED = ErrorCode(
    "USER-898",
    Kind.UNAVAILABLE,
    "The host of the client-ID metadata document cannot be reached.",
    "Check that it responds within 5 seconds. The log has the cause.",
)

CLIENT_DOCUMENTS: Final = "clientDocuments"
CLIENT_DOCUMENT_INDEXES: Final[Indexes] = {
    CLIENT_DOCUMENTS: (IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),)
}

SHORTEST: Final = 300.0
LONGEST: Final = 86_400.0
"""Seconds for which a document is used: the max-age of the response, within these limits."""

DEFAULT: Final = 3_600.0
FAILED: Final = 60.0
"""Seconds for which a document that could not be fetched or used is not fetched again."""

FETCHES: Final = PerMinute(of_client=20, in_all=120)
"""Fetches of a replica, from one host and in all."""

_RESOURCES: Final = 50
"""Resources of a request that are looked up."""

FORGET_SECONDS: Final = 90 * 86_400.0
_OK: Final = 200
_MAX_AGE: Final = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?([0-9]{1,9})")


@dataclass(slots=True)
class ClientDocuments:
    database: Database
    client: ProviderClient
    clock: Clock
    limit: MinuteLimit = field(init=False)
    locks: WeakValueDictionary[str, asyncio.Lock] = field(init=False, default_factory=WeakValueDictionary)

    def __post_init__(self) -> None:
        self.limit = MinuteLimit(self.clock, FETCHES)

    async def find(self, client_id: str) -> ClientDocument | None:
        """Returns the document; None if it cannot be used, or was not available for a day. Raises `unavailable`."""
        async with self.locks.setdefault(client_id, asyncio.Lock()):  # one flight: those who wait find what it brought
            row = await self._read(client_id)
            now = self.clock.now()
            if row and 0 < row["until"] - now < LONGEST + SHORTEST:
                return _document_in(row, now)
            if not self.limit.admits(host_of_client_id(client_id)):
                log.warning("too many client metadata documents", host=host_of_client_id(client_id))
                return _document_in(row, now) if row else None
            return _document_in(await self._renew(client_id, row, now), now)

    async def note_use(self, client_id: str) -> None:
        async with guarded():
            await self._rows.update_one({"_id": client_id}, {"$max": {"used": self.clock.now()}})

    async def last_uses(self, client_ids: Collection[str]) -> dict[str, float]:
        """Returns when users last allowed something, in unix seconds by client id."""
        async with guarded():
            rows = await self._rows.find({"_id": {"$in": list(client_ids)}}, {"used": 1}).to_list(len(client_ids) or 1)
        return {row["_id"]: row.get("used", 0.0) for row in rows}

    async def _renew(self, client_id: str, row: Document | None, now: float) -> Document:
        values: Document
        try:
            document, seconds = await self._fetch(client_id)
            values = {"document": msgspec.to_builtins(document), "at": now, "until": now + seconds}
        except ServiceError as error:
            log.warning("client metadata document not used", client_id=client_id, error_code=error.id, **error.private)
            # A host that does not respond is no statement; any other response withdraws the document.
            kept = row if row and error.kind is Kind.UNAVAILABLE else {}
            values = {"document": kept.get("document"), "at": kept.get("at", now), "until": now + FAILED}
        # Anyone can request any number of addresses without a document.
        kept_for = FORGET_SECONDS if values["document"] or (row and row.get("used")) else LONGEST
        forget_at = datetime.fromtimestamp(now + kept_for, UTC)
        async with guarded():
            await self._rows.update_one({"_id": client_id}, {"$set": {**values, "forgetAt": forget_at}}, upsert=True)
        return values

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

    @property
    def _rows(self) -> Rows:
        return self.database[CLIENT_DOCUMENTS]


@dataclass(frozen=True, slots=True)
class MetadataClients:
    apps: MongoApps
    queries: AppQueries
    places: MetadataPlaces
    documents: ClientDocuments

    async def get_client(self, ask: GetClient) -> ClientFound:
        """Answers for every client id that is a URL; registered applications have priority."""
        if len(ask.client_id) > MAX_LENGTH:
            return ClientFound()
        stored = await self.apps.find_by_client_id(ask.client_id)
        if stored and not stored.metadata_document:
            return await self.queries.get_client(ask)
        if not host_of_client_id(ask.client_id):
            return ClientFound()
        place, several = await self._place(ask)
        app = await self._read(ask.client_id, place) if place else None
        return await self.queries.client_of(app) if app else ClientFound(several=several)

    async def find(self, client_id: str, org_id: str) -> App | None:
        """Returns the application of an organization as its document describes it now; None where it is turned off or
        not allowed.
        """
        place = await self.places.find(client_id, org_id)
        return await self._read(client_id, place) if place else None

    async def _place(self, ask: GetClient) -> Placed:
        if ask.of_any:
            places = await self.places.list_of(ask.client_id)
            stored = await self.apps.list_of_document(ask.client_id, [place.org.id for place in places])
            off = {app.org_id for app in stored if app.state is not State.ACTIVE}
            return Placed(next((place for place in places if place.org.id not in off), None))
        if ask.org_id:
            return Placed(await self.places.find(ask.client_id, ask.org_id))
        owners = await self.apps.list_orgs_with_resources(ask.resources[:_RESOURCES]) if ask.resources else ()
        return await self.places.of_request(ask.client_id, (*owners, *([ask.named_org_id] if ask.named_org_id else [])))

    async def _read(self, client_id: str, place: OwnedProject) -> App | None:
        stored = await self.apps.find_of_document(client_id, place.org.id)
        if stored and stored.state is not State.ACTIVE:
            return None
        document = await self.documents.find(client_id)
        return _with_document(stored, app_of_document(client_id, place), document) if document else None


def _with_document(stored: App | None, app: App, document: ClientDocument) -> App:
    return msgspec.structs.replace(
        stored or app,
        org_id=app.org_id,
        project_id=app.project_id,
        name=document.name,
        auth_method=document.auth_method,
        redirect_uris=document.redirect_uris,
        response_types=("code",),
        grant_types=document.grant_types,
        keys=document.keys if document.auth_method is AuthMethod.PRIVATE_KEY_JWT else (),
        access_token_type=AccessTokenType.JWT,
        any_loopback_port=True,
        hinted_logout=False,
        consent=Consent.ALWAYS,
        plain_oauth=True,
    )


def _document_in(row: Document, now: float) -> ClientDocument | None:
    known = row.get("document")
    if not known or not 0 <= now - row["at"] < LONGEST + SHORTEST:
        return None
    return msgspec.convert(known, ClientDocument)


def _seconds_of(response: OutboundResponse) -> float:
    found = _MAX_AGE.search(response.cache_control.lower())
    return min(max(float(found[1]) if found else DEFAULT, SHORTEST), LONGEST)
