from __future__ import annotations

from dataclasses import dataclass

import msgspec
from portico_oauth.client_id_urls import host_of_client_id
from portico_oauth.errors import ErrorCode, Kind, ServiceError

from portico_users.applications.app_record import App
from portico_users.applications.metadata_documents.metadata_clients import MetadataClients
from portico_users.applications.store import APPS, MongoApps
from portico_users.journal.command import Command, Commit
from portico_users.storage.entry import Entry
from portico_users.values.names import derived_id

NOT_ALLOWED = ErrorCode(
    "USER-897",
    Kind.NOT_FOUND,
    "Applications of this host are not allowed, or its metadata document cannot be used.",
    "Add the host to the policy for client-ID metadata documents. The log has the cause of an unusable document.",
)


@dataclass(frozen=True, slots=True)
class KeepMetadataClient(Command):
    """Stores an application of an organization with the first user who allows it something there, so that its
    administrators can turn it off.
    """

    commit: Commit
    apps: MongoApps
    clients: MetadataClients

    async def __call__(self, client_id: str, org_id: str, *, actor: str) -> None:
        """Does nothing for registered applications. Raises USER-897."""
        if not host_of_client_id(client_id):
            return
        known = await self.apps.find_by_client_id(client_id)
        if known and not known.metadata_document:
            return
        app = await self.clients.find(client_id, org_id)
        if app is None:
            raise NOT_ALLOWED.error()
        stored = await self.apps.find_of_document(client_id, app.org_id)
        after = msgspec.structs.replace(app, keys=())  # kids of documents are not unique
        if stored is None and known:
            after = _further(after)
        if after != stored:
            await self._store(stored, after, actor)
        await self.clients.documents.note_use(client_id)

    async def _store(self, stored: App | None, after: App, actor: str) -> None:
        ids = () if stored or after.further_document else (after.client_id,)
        try:
            await self.commit(Entry(APPS, stored, after, ids=ids), actor=actor)
        except ServiceError:
            # Another user may have been first, of this organization or of another one.
            if await self.apps.find_of_document(after.client_id, after.org_id):
                return
            if after.further_document or await self.apps.find_by_client_id(after.client_id) is None:
                raise
            await self._store(None, _further(after), actor)


def _further(app: App) -> App:
    id = derived_id("client metadata", f"{app.client_id} {app.org_id}", 0)
    return msgspec.structs.replace(app, id=id, further_document=True)
