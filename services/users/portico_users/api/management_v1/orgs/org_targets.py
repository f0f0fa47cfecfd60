"""Finds the organization a call is about."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import org_service_pb2 as pb

from portico_users.api.transport.call import RequestContext, Target
from portico_users.api.transport.decision import NOT_PERMITTED
from portico_users.api.transport.targets import EVERYWHERE, INVALID_ORG_HEADER, header_org_id
from portico_users.directory.organizations.org import Org
from portico_users.directory.organizations.rules import ORG_NOT_FOUND
from portico_users.directory.organizations.store import MongoOrgs
from portico_users.kernel.records import State


async def org_in_any_state(context: RequestContext, _request: object, *, orgs: MongoOrgs) -> Target[Org]:
    """The organization the header names, or the caller's own, active or not.

    Raises:
        ServiceError: USER-313 for one that is unknown, or where the caller has no role.
    """
    org_id = header_org_id(context) or context.caller.org_id
    org = await orgs.find(org_id)
    if org is None or org.state is State.DELETED:
        raise INVALID_ORG_HEADER.error(org=org_id)
    return Target(org.id, org, ORG_NOT_FOUND)


async def org_of_domain(
    context: RequestContext, request: pb.GetOrgByDomainGlobalRequest, *, orgs: MongoOrgs
) -> Target[Org]:
    """The organization that has a domain.

    Raises:
        ServiceError: USER-314 when there is none; a foreign one is like an unknown one (MG-04). USER-313.
    """
    header_org_id(context)
    org = await orgs.find_by_domain(request.domain)
    if org is None or org.state is State.DELETED:
        raise ORG_NOT_FOUND.error()
    return Target(org.id, org, ORG_NOT_FOUND)


async def instance(_context: RequestContext, _request: object) -> Target[None]:
    """No single organization: what is about the instance, for those who may do it everywhere."""
    return Target(EVERYWHERE, None, NOT_PERMITTED)
