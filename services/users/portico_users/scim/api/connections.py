"""SCIM connections of organizations, and their secrets."""

from __future__ import annotations

from typing import Protocol

import msgspec
from portico_contracts.generated.portico.management.v1 import scim_service_pb2 as pb

from portico_users.management_api.protobuf.details import changed_details_of, details_of, timestamp_of
from portico_users.management_api.protobuf.listing import details_of_list, page_of
from portico_users.management_api.protobuf.messages import MessageValues, message_of
from portico_users.management_api.transport.call import Call, RequestContext, Target
from portico_users.management_api.transport.targets import own_or_named_org
from portico_users.organizations.org import MongoOrgs
from portico_users.scim.calls import CallLog, RefusedCall, ScimCalls
from portico_users.scim.commands import AddScimConnection, ChangeScimSecrets
from portico_users.scim.connection import CONNECTION_NOT_FOUND, MongoScimConnections, ScimConnection, url_of
from portico_users.scim.mapping import MAPPING_FIELDS, ScimMapping
from portico_users.storage.entry import NOT_DELETED, Document
from portico_users.values.operator_settings import Issuer
from portico_users.values.problems import below


class NamesConnection(Protocol):
    @property
    def connection_id(self) -> str: ...


async def own_connection(
    context: RequestContext, request: NamesConnection, *, orgs: MongoOrgs, connections: MongoScimConnections
) -> Target[ScimConnection]:
    """Finds the organization's connection; those of other organizations count as unknown (MG-01, MG-04)."""
    org = await own_or_named_org(context, request, orgs=orgs)
    connection = await connections.find_there(request.connection_id)
    if connection is None or connection.org_id != org.org_id:
        raise CONNECTION_NOT_FOUND.error()
    return Target(org.org_id, connection, CONNECTION_NOT_FOUND)


async def add_connection(
    call: Call[str], request: pb.AddScimConnectionRequest, *, add: AddScimConnection, issuer: Issuer
) -> pb.AddScimConnectionResponse:
    wanted = with_values(ScimConnection(id="", org_id=call.target.subject, name=""), request)
    record, secret = await add(wanted, actor=call.caller.user_id)
    return pb.AddScimConnectionResponse(
        id=record.id,
        details=changed_details_of(record),
        url=url_of(record, issuer),
        secret=secret.text,
        secret_id=secret.kept.id,
    )


async def get_connection(
    call: Call[ScimConnection], _request: pb.GetScimConnectionRequest, *, calls: CallLog, issuer: Issuer
) -> pb.GetScimConnectionResponse:
    connection = call.target.subject
    known = await calls.find((connection.id,))
    return pb.GetScimConnectionResponse(connection=_message(connection, known.get(connection.id), issuer))


async def list_connections(
    call: Call[str],
    request: pb.ListScimConnectionsRequest,
    *,
    connections: MongoScimConnections,
    calls: CallLog,
    issuer: Issuer,
) -> pb.ListScimConnectionsResponse:
    question: Document = {"$and": [{"orgId": call.target.subject}, NOT_DELETED]}
    found = await connections.list_page(question, page_of(request.query, "nameKey"))
    known = await calls.find([one.id for one in found.records])
    result = [_message(one, known.get(one.id), issuer) for one in found.records]
    return pb.ListScimConnectionsResponse(details=details_of_list(found.total), result=result)


def with_values(
    before: ScimConnection, request: pb.AddScimConnectionRequest | pb.UpdateScimConnectionRequest
) -> ScimConnection:
    """Keeps what the request does not set."""
    of_presence = [name for name in ("provisions_users", "provisions_groups") if request.HasField(name)]
    values = {name: getattr(request, name) for name in of_presence}
    if isinstance(request, pb.AddScimConnectionRequest) or request.HasField("deletes"):
        values["deletes"] = request.deletes
    return msgspec.structs.replace(before, name=request.name, **values)


def with_mapping(before: ScimConnection, request: pb.SetScimMappingRequest) -> ScimConnection:
    with below("mapping"):
        mapping = MAPPING_FIELDS.new(MessageValues(request.mapping))
    return msgspec.structs.replace(before, mapping=mapping)


async def add_secret(
    call: Call[ScimConnection], _request: pb.AddScimSecretRequest, *, secrets: ChangeScimSecrets
) -> pb.AddScimSecretResponse:
    record, secret = await secrets.add(call.target.subject, actor=call.caller.user_id)
    return pb.AddScimSecretResponse(details=changed_details_of(record), secret=secret.text, secret_id=secret.kept.id)


async def list_secrets(call: Call[ScimConnection], _request: pb.ListScimSecretsRequest) -> pb.ListScimSecretsResponse:
    found = _secrets(call.target.subject)
    return pb.ListScimSecretsResponse(details=details_of_list(len(found)), result=found)


def _secrets(connection: ScimConnection) -> list[pb.ScimSecret]:
    return [pb.ScimSecret(id=one.id, creation_date=timestamp_of(one.created)) for one in connection.secrets]


def _message(connection: ScimConnection, calls: ScimCalls | None, issuer: str) -> pb.ScimConnection:
    known, mapping = calls or ScimCalls(), connection.mapping
    return pb.ScimConnection(
        id=connection.id,
        details=details_of(connection),
        name=connection.name,
        url=url_of(connection, issuer),
        provisions_users=connection.provisions_users,
        provisions_groups=connection.provisions_groups,
        deletes=connection.deletes,
        secrets=_secrets(connection),
        last_call=timestamp_of(known.last_call) if known.last_call else None,
        refused_calls=[_refused(one) for one in reversed(known.errors)],
        mapping=message_of(pb.ScimMapping, MAPPING_FIELDS, mapping) if mapping != ScimMapping() else None,
    )


def _refused(one: RefusedCall) -> pb.RefusedScimCall:
    return pb.RefusedScimCall(
        date=timestamp_of(one.at),
        request=one.request,
        http_status=one.status,
        error_id=one.error_id,
        message=one.text,
    )
