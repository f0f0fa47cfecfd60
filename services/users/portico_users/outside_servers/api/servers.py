from __future__ import annotations

from typing import Protocol

from portico_contracts.generated.portico.management.v1 import outside_server_service_pb2 as pb

from portico_users.management_api.protobuf.details import changed_details_of, details_of
from portico_users.management_api.protobuf.listing import details_of_list, page_of
from portico_users.management_api.protobuf.messages import MessageValues, message_of
from portico_users.management_api.transport.call import Call, RequestContext, Target
from portico_users.management_api.transport.targets import own_or_named_org
from portico_users.organizations.org import MongoOrgs
from portico_users.outside_servers.commands import AddOutsideServer
from portico_users.outside_servers.server import (
    OUTSIDE_SERVER_FIELDS,
    SERVER_NOT_FOUND,
    MongoOutsideServers,
    OutsideServer,
)
from portico_users.storage.entry import NOT_DELETED, Document


class NamesServer(Protocol):
    @property
    def server_id(self) -> str: ...


async def own_server(
    context: RequestContext, request: NamesServer, *, orgs: MongoOrgs, servers: MongoOutsideServers
) -> Target[OutsideServer]:
    """Finds the organization's server; those of other organizations count as unknown (MG-01, MG-04)."""
    org = await own_or_named_org(context, request, orgs=orgs)
    server = await servers.find_there(request.server_id)
    if server is None or server.org_id != org.org_id:
        raise SERVER_NOT_FOUND.error()
    return Target(org.org_id, server, SERVER_NOT_FOUND)


async def add_server(
    call: Call[str], request: pb.AddOutsideServerRequest, *, add: AddOutsideServer
) -> pb.AddOutsideServerResponse:
    blank = OutsideServer(id="", org_id=call.target.subject, name="", issuer="")
    record = await add(with_values(blank, request), actor=call.caller.user_id)
    return pb.AddOutsideServerResponse(id=record.id, details=changed_details_of(record))


async def get_server(call: Call[OutsideServer], _request: pb.GetOutsideServerRequest) -> pb.GetOutsideServerResponse:
    return pb.GetOutsideServerResponse(server=_message(call.target.subject))


async def list_servers(
    call: Call[str], request: pb.ListOutsideServersRequest, *, servers: MongoOutsideServers
) -> pb.ListOutsideServersResponse:
    question: Document = {"$and": [{"orgId": call.target.subject}, NOT_DELETED]}
    found = await servers.list_page(question, page_of(request.query, "nameKey"))
    result = [_message(one) for one in found.records]
    return pb.ListOutsideServersResponse(details=details_of_list(found.total), result=result)


def with_values(
    before: OutsideServer, request: pb.AddOutsideServerRequest | pb.UpdateOutsideServerRequest
) -> OutsideServer:
    """The server with all values of the request, also those that it leaves out."""
    return OUTSIDE_SERVER_FIELDS.changed(before, MessageValues(request))


def _message(server: OutsideServer) -> pb.OutsideServer:
    return message_of(pb.OutsideServer, OUTSIDE_SERVER_FIELDS, server, id=server.id, details=details_of(server))
