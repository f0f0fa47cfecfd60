"""Organizations: add, read, change."""

from __future__ import annotations

from typing import Final

import msgspec
from portico_contracts.generated.portico.admin.v1 import org_service_pb2 as admin
from portico_contracts.generated.portico.management.v1 import org_pb2
from portico_contracts.generated.portico.management.v1 import org_service_pb2 as pb

from portico_users.api.management_v1.orgs.org_messages import STATES, org_message
from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import changed_details_of
from portico_users.api.shared.listing import LISTED, AsQuestion, by_text, details_of_list, page_of, questions_of
from portico_users.api.transport.call import Call
from portico_users.api.transport.needs import Needs
from portico_users.directory.organizations.changes import put_org
from portico_users.directory.organizations.org import Org, default_domain
from portico_users.kernel.states import deactivated, reactivated, refuse_unchanged

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


async def add_org(call: Call[None], request: pb.AddOrgRequest) -> pb.AddOrgResponse:
    """Creates an organization.

    Raises:
        ServiceError: of the rules for organizations; USER-011 for a name that is taken.
    """
    id = call.needs.new_id()
    domain = await free_domain(call.needs, request.name, id)
    record = await commit(call, put_org(None, Org(id=id, org_id=id, name=request.name, primary_domain=domain)))
    return pb.AddOrgResponse(id=record.id, details=changed_details_of(record))


async def update_org(call: Call[Org], request: pb.UpdateOrgRequest) -> pb.UpdateOrgResponse:
    """Renames it; USER-702 when nothing would change."""
    before = call.target.subject
    after = msgspec.structs.replace(before, name=request.name)
    refuse_unchanged(before, after)
    return pb.UpdateOrgResponse(details=changed_details_of(await _replace(call, after)))


async def deactivate_org(call: Call[Org], _request: pb.DeactivateOrgRequest) -> pb.DeactivateOrgResponse:
    """Switches it off, with its users and applications; USER-700 when it is not active."""
    return pb.DeactivateOrgResponse(details=changed_details_of(await _replace(call, deactivated(call.target.subject))))


async def reactivate_org(call: Call[Org], _request: pb.ReactivateOrgRequest) -> pb.ReactivateOrgResponse:
    """Switches it on; USER-701 when it is not inactive."""
    return pb.ReactivateOrgResponse(details=changed_details_of(await _replace(call, reactivated(call.target.subject))))


async def list_orgs(call: Call[None], request: admin.ListOrgsRequest) -> admin.ListOrgsResponse:
    """A page of all organizations, sorted by what is asked for."""
    question = {"$and": [LISTED, *questions_of(request.queries, _CONDITIONS)]}
    found = await call.needs.orgs.list_page(question, page_of(request.query, _SORT_BY[request.sorting_column]))
    return admin.ListOrgsResponse(
        details=details_of_list(found.total),
        sorting_column=request.sorting_column,
        result=[org_message(org) for org in found.records],
    )


async def _replace(call: Call[Org], after: Org) -> Org:
    return await commit(call, put_org(call.target.subject, after))


async def free_domain(needs: Needs, name: str, id: str) -> str:
    """A domain for a name. Names that differ may have the same label; then it is made of the id."""
    domain = default_domain(name, id, needs.issuer)
    return domain if await needs.orgs.find_by_domain(domain) is None else default_domain("", id, needs.issuer)
