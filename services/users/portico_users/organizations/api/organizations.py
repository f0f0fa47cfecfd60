"""Organizations and their domains: add, read, change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from portico_contracts.generated.portico.admin.v1 import org_service_pb2 as admin
from portico_contracts.generated.portico.management.v1 import org_pb2
from portico_contracts.generated.portico.management.v1 import org_service_pb2 as pb

from portico_users.accounts.word_index import WordIndex
from portico_users.administrators.member import MongoMembers
from portico_users.management_api.protobuf.details import changed_details_of, details_of
from portico_users.management_api.protobuf.listing import (
    DEFAULT_LIMIT,
    AsQuestion,
    by_text,
    by_words,
    details_of_list,
    page_of,
    questions_of,
    require_words,
)
from portico_users.management_api.transport.call import Call, RequestContext, Target
from portico_users.management_api.transport.decision import require_instance_roles_covered
from portico_users.management_api.transport.targets import header_org_id, org_in_any_state
from portico_users.organizations.commands import DeactivateOrg, owns_console
from portico_users.organizations.domains import Proof, place_of
from portico_users.organizations.edit_organizations import AddOrg, OrgDomains
from portico_users.organizations.messages import STATES, org_message
from portico_users.organizations.org import ORG_NOT_FOUND, MongoOrgs, Org
from portico_users.projects.store import MongoProjects
from portico_users.storage.entry import NOT_DELETED
from portico_users.values.records import State

_PROOFS: Final = {
    None: pb.DOMAIN_VALIDATION_TYPE_UNSPECIFIED,
    Proof.HTTP: pb.DOMAIN_VALIDATION_TYPE_HTTP,
    Proof.DNS: pb.DOMAIN_VALIDATION_TYPE_DNS,
}
PROOFS: Final = {number: proof for proof, number in _PROOFS.items() if proof}

_STATE_NAMES: Final = {number: state.value for state, number in STATES.items()}
_CONDITIONS: Final[dict[str, AsQuestion]] = {
    "name_query": by_text("name", "name"),
    "domain_query": by_text("primaryDomain", "domain"),
    "words_query": by_words,
    "state_query": lambda query: {"state": _STATE_NAMES[query.state]},
}

_SORT_BY: Final[dict[int, str]] = {
    org_pb2.ORG_FIELD_NAME_UNSPECIFIED: "nameKey",
    org_pb2.ORG_FIELD_NAME_NAME: "nameKey",
}


async def get_my_org(call: Call[Org], _request: pb.GetMyOrgRequest) -> pb.GetMyOrgResponse:
    return pb.GetMyOrgResponse(org=org_message(call.target.subject))


async def get_org_by_domain_global(
    call: Call[Org], _request: pb.GetOrgByDomainGlobalRequest
) -> pb.GetOrgByDomainGlobalResponse:
    return pb.GetOrgByDomainGlobalResponse(org=org_message(call.target.subject))


async def add_org(call: Call[None], request: pb.AddOrgRequest, *, add: AddOrg) -> pb.AddOrgResponse:
    org = Org(id="", org_id="", name=request.name, primary_domain="")
    record = await add(org, actor=call.caller.user_id)
    return pb.AddOrgResponse(id=record.id, details=changed_details_of(record))


async def list_orgs(
    _call: Call[None], request: admin.ListOrgsRequest, *, orgs: MongoOrgs, word_index: WordIndex
) -> admin.ListOrgsResponse:
    await require_words(request.queries, word_index)
    question = {"$and": [NOT_DELETED, *questions_of(request.queries, _CONDITIONS)]}
    found = await orgs.list_page(question, page_of(request.query, _SORT_BY[request.sorting_column]))
    return admin.ListOrgsResponse(
        details=details_of_list(found.total),
        sorting_column=request.sorting_column,
        result=[org_message(org) for org in found.records],
    )


def domain_messages(org: Org) -> Iterator[pb.Domain]:
    details = details_of(org)
    yield pb.Domain(org_id=org.id, details=details, domain_name=org.primary_domain, is_verified=True, is_primary=True)
    for domain in org.domains:
        yield pb.Domain(
            org_id=org.id,
            details=details,
            domain_name=domain.name,
            is_verified=domain.verified,
            validation_type=_PROOFS[domain.proof],
        )


async def org_to_deactivate(
    context: RequestContext, request: object, *, orgs: MongoOrgs, projects: MongoProjects
) -> Target[Org]:
    target = await org_in_any_state(context, request, orgs=orgs)
    return replace(target, of_owners=await owns_console(target.subject, projects))


async def deactivate_org(
    call: Call[Org], _request: pb.DeactivateOrgRequest, *, members: MongoMembers, deactivate: DeactivateOrg
) -> pb.DeactivateOrgResponse:
    await require_instance_roles_covered(call, members)
    org = await deactivate(call.target.subject, actor=call.caller.user_id)
    return pb.DeactivateOrgResponse(details=changed_details_of(org))


async def org_of_domain(
    context: RequestContext, request: pb.GetOrgByDomainGlobalRequest, *, orgs: MongoOrgs
) -> Target[Org]:
    """Raises USER-314 if no organization visible to the caller has the domain (MG-04); USER-313."""
    header_org_id(context)
    org = await orgs.find_by_domain(request.domain)
    if org is None or org.state is State.DELETED:
        raise ORG_NOT_FOUND.error()
    return Target(org.id, org, ORG_NOT_FOUND)


async def list_org_domains(call: Call[Org], request: pb.ListOrgDomainsRequest) -> pb.ListOrgDomainsResponse:
    domains = list(domain_messages(call.target.subject))
    page = domains[request.query.offset :][: request.query.limit or DEFAULT_LIMIT]
    return pb.ListOrgDomainsResponse(details=details_of_list(len(domains)), result=page)


async def generate_org_domain_validation(
    call: Call[Org], request: pb.GenerateOrgDomainValidationRequest, *, domains: OrgDomains
) -> pb.GenerateOrgDomainValidationResponse:
    proof, actor = PROOFS[request.type], call.caller.user_id
    domain = await domains.generate(call.target.subject, request.domain, proof, actor=actor)
    return pb.GenerateOrgDomainValidationResponse(token=domain.challenge, url=place_of(domain))
