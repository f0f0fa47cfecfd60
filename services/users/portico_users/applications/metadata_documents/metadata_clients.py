"""Applications that identify themselves by the URL of a client-ID metadata document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec
from portico_contracts.users import AccessTokenType, AuthMethod, ClientFound, Consent, GetClient
from portico_oauth.client_id_urls import host_of_client_id

from portico_users.applications.app_record import App
from portico_users.applications.metadata_documents.client_documents import ClientDocument
from portico_users.applications.metadata_documents.fetched_documents import ClientDocuments, Sought
from portico_users.applications.metadata_places import MetadataPlaces, Placed, app_of_document
from portico_users.applications.store import AppQueries, MongoApps
from portico_users.projects.store import OwnedProject
from portico_users.values.names import MAX_LENGTH
from portico_users.values.records import State

_RESOURCES: Final = 50
"""Resources of a request that are looked up."""


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
        if place is None:
            return ClientFound(several=several)
        app, is_due = await self._read(ask.client_id, place, ask.client_address)
        return await self.queries.client_of(app) if app else ClientFound(is_due=is_due)

    async def find(self, client_id: str, org_id: str) -> App | None:
        """Returns the application of an organization as its document describes it now; None where it is turned off or
        not allowed.
        """
        place = await self.places.find(client_id, org_id)
        return (await self._read(client_id, place, ""))[0] if place else None

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

    async def _read(self, client_id: str, place: OwnedProject, client_address: str | None) -> tuple[App | None, bool]:
        stored = await self.apps.find_of_document(client_id, place.org.id)
        if stored and stored.state is not State.ACTIVE:
            return None, False
        entry = await self.places.entry_of(client_id, place.org)
        document, is_due = await self.documents.find(Sought(client_id, entry, client_address))
        app = app_of_document(client_id, place)
        return (_with_document(stored, app, document) if document else None), is_due


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
        dpop=document.dpop,
    )
