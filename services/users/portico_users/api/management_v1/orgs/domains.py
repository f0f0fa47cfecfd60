"""The domains of an organization."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import org_service_pb2 as pb

from portico_users.api.management_v1.orgs.org_messages import PROOFS, domain_messages
from portico_users.api.shared.details import changed_details_of
from portico_users.api.shared.listing import DEFAULT_LIMIT, details_of_list
from portico_users.api.transport.call import Call
from portico_users.commands.organizations.domains import OrgDomains
from portico_users.directory.organizations.domain_verification import place_of
from portico_users.directory.organizations.org import Org


async def add_org_domain(
    call: Call[Org], request: pb.AddOrgDomainRequest, *, domains: OrgDomains
) -> pb.AddOrgDomainResponse:
    """Adds a domain that is to be verified; USER-004, USER-715, USER-722."""
    record = await domains.add(call.target.subject, request.domain, actor=call.caller.user_id)
    return pb.AddOrgDomainResponse(details=changed_details_of(record))


async def list_org_domains(call: Call[Org], request: pb.ListOrgDomainsRequest) -> pb.ListOrgDomainsResponse:
    """A page of the domains, the primary one first, the others as they were added."""
    domains = list(domain_messages(call.target.subject))
    page = domains[request.query.offset :][: request.query.limit or DEFAULT_LIMIT]
    return pb.ListOrgDomainsResponse(details=details_of_list(len(domains)), result=page)


async def remove_org_domain(
    call: Call[Org], request: pb.RemoveOrgDomainRequest, *, domains: OrgDomains
) -> pb.RemoveOrgDomainResponse:
    """Removes a domain; USER-717 for an unknown one, USER-718 for the primary one."""
    record = await domains.remove(call.target.subject, request.domain, actor=call.caller.user_id)
    return pb.RemoveOrgDomainResponse(details=changed_details_of(record))


async def generate_org_domain_validation(
    call: Call[Org], request: pb.GenerateOrgDomainValidationRequest, *, domains: OrgDomains
) -> pb.GenerateOrgDomainValidationResponse:
    """The challenge the domain has to show; USER-717 for an unknown domain, USER-720 for a verified one."""
    proof, actor = PROOFS[request.type], call.caller.user_id
    domain = await domains.generate(call.target.subject, request.domain, proof, actor=actor)
    return pb.GenerateOrgDomainValidationResponse(token=domain.challenge, url=place_of(domain))


async def validate_org_domain(
    call: Call[Org], request: pb.ValidateOrgDomainRequest, *, domains: OrgDomains
) -> pb.ValidateOrgDomainResponse:
    """Verifies a domain. Raises as `OrgDomains.verify`."""
    record = await domains.verify(call.target.subject, request.domain, actor=call.caller.user_id)
    return pb.ValidateOrgDomainResponse(details=changed_details_of(record))


async def set_primary_org_domain(
    call: Call[Org], request: pb.SetPrimaryOrgDomainRequest, *, domains: OrgDomains
) -> pb.SetPrimaryOrgDomainResponse:
    """Login names end with it from now on; USER-717, USER-718, USER-719."""
    record = await domains.set_primary(call.target.subject, request.domain, actor=call.caller.user_id)
    return pb.SetPrimaryOrgDomainResponse(details=changed_details_of(record))
