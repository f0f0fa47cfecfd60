"""The domains of an organization."""

from __future__ import annotations

import msgspec
from portico_contracts.generated.portico.management.v1 import org_service_pb2 as pb

from portico_users.api.management_v1.orgs.org_messages import PROOFS, domain_messages
from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import changed_details_of
from portico_users.api.shared.listing import DEFAULT_LIMIT, details_of_list
from portico_users.api.transport.call import Call
from portico_users.directory.organizations.changes import put_org
from portico_users.directory.organizations.domain_verification import place_of
from portico_users.directory.organizations.domains import (
    Domain,
    Domains,
    load_unverified,
    swapped,
    with_domain,
    with_new_domain,
    without_domain,
)
from portico_users.directory.organizations.org import Org
from portico_users.kernel.entry import Entry


async def add_org_domain(call: Call[Org], request: pb.AddOrgDomainRequest) -> pb.AddOrgDomainResponse:
    """Adds a domain that is still to be proven; USER-004, USER-715, USER-722."""
    org = call.target.subject
    further = with_new_domain(org.domains, org.primary_domain, request.domain)
    return pb.AddOrgDomainResponse(details=changed_details_of(await _replace(call, further)))


async def list_org_domains(call: Call[Org], request: pb.ListOrgDomainsRequest) -> pb.ListOrgDomainsResponse:
    """A page of the domains, the primary one first, the others as they were added."""
    domains = list(domain_messages(call.target.subject))
    page = domains[request.query.offset :][: request.query.limit or DEFAULT_LIMIT]
    return pb.ListOrgDomainsResponse(details=details_of_list(len(domains)), result=page)


async def remove_org_domain(call: Call[Org], request: pb.RemoveOrgDomainRequest) -> pb.RemoveOrgDomainResponse:
    """Takes a domain away; USER-717 for one they do not have, USER-718 for the primary one."""
    org = call.target.subject
    left = without_domain(org.domains, org.primary_domain, request.domain)
    return pb.RemoveOrgDomainResponse(details=changed_details_of(await _replace(call, left)))


async def generate_org_domain_validation(
    call: Call[Org], request: pb.GenerateOrgDomainValidationRequest
) -> pb.GenerateOrgDomainValidationResponse:
    """What is to be shown at the domain; USER-717 for one they do not have, USER-720 for one that is theirs."""
    org = call.target.subject
    domain = load_unverified(org.domains, org.primary_domain, request.domain)
    wanted = msgspec.structs.replace(domain, proof=PROOFS[request.type], challenge=call.needs.new_id())
    await _replace(call, with_domain(org.domains, wanted))
    return pb.GenerateOrgDomainValidationResponse(token=wanted.challenge, url=place_of(wanted))


async def validate_org_domain(call: Call[Org], request: pb.ValidateOrgDomainRequest) -> pb.ValidateOrgDomainResponse:
    """Looks at the domain, and makes it theirs.

    Raises:
        ServiceError: USER-717 for one they do not have, USER-720 for one that is theirs, USER-721 when nothing was
            generated, USER-723 when it is not shown, USER-716 when another organization was first.
    """
    org = call.target.subject
    domain = load_unverified(org.domains, org.primary_domain, request.domain)
    await call.needs.proofs.require(domain)
    proven = with_domain(org.domains, Domain(name=domain.name, verified=True))
    return pb.ValidateOrgDomainResponse(details=changed_details_of(await _replace(call, proven)))


async def set_primary_org_domain(
    call: Call[Org], request: pb.SetPrimaryOrgDomainRequest
) -> pb.SetPrimaryOrgDomainResponse:
    """Login names end with it from now on; USER-717, USER-718, USER-719."""
    org = call.target.subject
    further = swapped(org.domains, org.primary_domain, request.domain)
    record = await _replace(call, further, primary=request.domain)
    return pb.SetPrimaryOrgDomainResponse(details=changed_details_of(record))


async def _replace(call: Call[Org], further: Domains, *, primary: str = "") -> Org:
    before = call.target.subject
    after = msgspec.structs.replace(before, domains=further, primary_domain=primary or before.primary_domain)
    entry: Entry[Org] = put_org(before, after)
    return await commit(call, entry)
