"""Applications that identify themselves by a client-ID metadata document."""

from __future__ import annotations

import asyncio

from portico_contracts.generated.portico.management.v1 import app_pb2
from portico_contracts.generated.portico.management.v1 import policy_pb2 as pb
from portico_oauth.client_id_urls import host_of_client_id

from portico_users.accounts.store import MongoAccounts
from portico_users.applications.app_record import App
from portico_users.applications.metadata_documents.fetched_documents import ClientDocuments
from portico_users.applications.store import FROM_DOCUMENTS, MongoApps
from portico_users.management_api.protobuf.details import timestamp_of
from portico_users.management_api.protobuf.listing import details_of_list, page_of
from portico_users.management_api.transport.call import Call
from portico_users.organizations.org import Org
from portico_users.storage.entry import NOT_DELETED
from portico_users.values.records import State


async def list_metadata_apps(
    call: Call[Org],
    request: pb.ListMetadataAppsRequest,
    *,
    apps: MongoApps,
    accounts: MongoAccounts,
    documents: ClientDocuments,
) -> pb.ListMetadataAppsResponse:
    question = {"orgId": call.target.subject.id, **FROM_DOCUMENTS, **NOT_DELETED}
    found = await apps.list_page(question, page_of(request.query, "nameKey"))
    client_ids = [app.client_id for app in found.records]
    uses, users = await asyncio.gather(documents.last_uses(client_ids), accounts.count_consents(client_ids))
    return pb.ListMetadataAppsResponse(
        details=details_of_list(found.total),
        result=[_message(app, uses.get(app.client_id, 0.0), users.get(app.client_id, 0)) for app in found.records],
    )


def _message(app: App, last_used: float, users: int) -> pb.MetadataApp:
    return pb.MetadataApp(
        id=app.id,
        project_id=app.project_id,
        client_id=app.client_id,
        name=app.name,
        host=host_of_client_id(app.client_id),
        state=app_pb2.APP_STATE_ACTIVE if app.state is State.ACTIVE else app_pb2.APP_STATE_INACTIVE,
        first_used=timestamp_of(app.created),
        last_used=timestamp_of(last_used) if last_used else None,
        users=users,
        org_id=app.org_id,
    )
