"""Organizations: add, read, change."""

from __future__ import annotations

from typing import Final

from portico_contracts.generated.portico.admin.v1 import org_service_pb2 as admin
from portico_contracts.generated.portico.management.v1 import org_pb2
from portico_contracts.generated.portico.management.v1 import org_service_pb2 as pb

from portico_users.api.management_v1.orgs.org_messages import STATES, org_message
from portico_users.api.shared.details import changed_details_of
from portico_users.api.shared.listing import LISTED, AsQuestion, by_text, details_of_list, page_of, questions_of
from portico_users.api.transport.call import Call
from portico_users.commands.organizations.orgs import AddOrg
from portico_users.directory.organizations.org import Org
from portico_users.directory.organizations.store import MongoOrgs

_STATE_NAMES: Final = {number: state.value for state, number in STATES.items()}
_CONDITIONS: Final[dict[str, AsQuestion]] = {
    "name_query": by_text("name", "name"),
    "domain_query": by_text("primaryDomain", "domain"),
    "state_query": lambda query: {"state": _STATE_NAMES[query.state]},
}

_SORT_BY: Final[dict[int, str]] = {
    org_pb2.ORG_FIELD_NAME_UNSPECIFIED: "nameKey",
    org_pb2.ORG_FIELD_NAME_NAME: "nameKey",
}


async def get_my_org(call: Call[Org], _request: pb.GetMyOrgRequest) -> pb.GetMyOrgResponse:
    """The organization."""
    return pb.GetMyOrgResponse(org=org_message(call.target.subject))


async def get_org_by_domain_global(
    call: Call[Org], _request: pb.GetOrgByDomainGlobalRequest
) -> pb.GetOrgByDomainGlobalResponse:
    """The organization that has the domain."""
    return pb.GetOrgByDomainGlobalResponse(org=org_message(call.target.subject))


async def add_org(call: Call[None], request: pb.AddOrgRequest, *, add: AddOrg) -> pb.AddOrgResponse:
    """Creates an organization. Raises as `AddOrg`."""
    org = Org(id="", org_id="", name=request.name, primary_domain="")
    record = await add(org, actor=call.caller.user_id)
    return pb.AddOrgResponse(id=record.id, details=changed_details_of(record))


async def list_orgs(_call: Call[None], request: admin.ListOrgsRequest, *, orgs: MongoOrgs) -> admin.ListOrgsResponse:
    """A page of all organizations, sorted by the requested column."""
    question = {"$and": [LISTED, *questions_of(request.queries, _CONDITIONS)]}
    found = await orgs.list_page(question, page_of(request.query, _SORT_BY[request.sorting_column]))
    return admin.ListOrgsResponse(
        details=details_of_list(found.total),
        sorting_column=request.sorting_column,
        result=[org_message(org) for org in found.records],
    )
