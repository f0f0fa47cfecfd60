"""The domains of an organization."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import org_service_pb2 as pb

from portico_users.api.management_v1.orgs.org_messages import PROOFS, domain_messages
from portico_users.api.shared.listing import DEFAULT_LIMIT, details_of_list
from portico_users.api.transport.call import Call
from portico_users.commands.organizations.domains import OrgDomains
from portico_users.directory.organizations.domain_verification import place_of
from portico_users.directory.organizations.org import Org


async def list_org_domains(call: Call[Org], request: pb.ListOrgDomainsRequest) -> pb.ListOrgDomainsResponse:
    """A page of the domains, the primary one first, the others as they were added."""
    domains = list(domain_messages(call.target.subject))
    page = domains[request.query.offset :][: request.query.limit or DEFAULT_LIMIT]
    return pb.ListOrgDomainsResponse(details=details_of_list(len(domains)), result=page)


async def generate_org_domain_validation(
    call: Call[Org], request: pb.GenerateOrgDomainValidationRequest, *, domains: OrgDomains
) -> pb.GenerateOrgDomainValidationResponse:
    """The challenge the domain has to show; USER-717 for an unknown domain, USER-720 for a verified one."""
    proof, actor = PROOFS[request.type], call.caller.user_id
    domain = await domains.generate(call.target.subject, request.domain, proof, actor=actor)
    return pb.GenerateOrgDomainValidationResponse(token=domain.challenge, url=place_of(domain))
