"""Finds the grant a request names, and where grants are given and listed."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from portico_contracts.generated.portico.management.v1 import user_grant_service_pb2 as pb

from portico_users.api.transport.call import RequestContext, Target
from portico_users.api.transport.targets import header_org_id, own_or_named_org
from portico_users.directory.accounts.grant_search import UserGrant
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.grants.project_grant_store import (
    PROJECT_GRANT_NOT_FOUND,
    MongoProjectGrants,
    OfProject,
    find_with_project,
)
from portico_users.directory.grants.role_grants import GRANT_NOT_FOUND, load_grant
from portico_users.directory.members.permissions import Permission
from portico_users.directory.organizations.store import MongoOrgs
from portico_users.directory.projects.store import MongoProjects
from portico_users.kernel.names import MAX_LENGTH
from portico_users.kernel.records import State


class NamesGrant(Protocol):
    """A request with the ids of a user and of a grant."""

    @property
    def user_id(self) -> str:
        """The id of the user."""
        ...

    @property
    def grant_id(self) -> str:
        """The id of the grant."""
        ...


class Granter(NamedTuple):
    """The organization that gives roles.

    Attributes:
        received: the project grant by which it may give roles of another one's project; None for its own projects.
    """

    org_id: str
    received: OfProject | None = None


async def granter(
    context: RequestContext,
    request: pb.AddUserGrantRequest,
    *,
    orgs: MongoOrgs,
    grants: MongoProjectGrants,
    projects: MongoProjects,
) -> Target[Granter]:
    """The organization that grants roles: with a project grant the one that has it, otherwise the caller's or the header's.

    Raises:
        ServiceError: USER-870 for a project grant that is unknown, of another project, or of another organization than
            the header names; USER-313 for a header that may not be.
    """
    if not request.project_grant_id:
        org = await own_or_named_org(context, request, orgs=orgs)
        return Target(org.org_id, Granter(org.org_id), org.absent)
    named = header_org_id(context)
    found = await find_with_project(request.project_grant_id, grants, projects)
    if found is None or found.project.id != request.project_id or named not in ("", found.grant.granted_org_id):
        raise PROJECT_GRANT_NOT_FOUND.error()
    org_id = found.grant.granted_org_id
    return Target(org_id, Granter(org_id, found), PROJECT_GRANT_NOT_FOUND, project_id=found.grant.id)


async def listed_granter(
    context: RequestContext,
    request: pb.ListUserGrantsRequest,
    *,
    orgs: MongoOrgs,
    grants: MongoProjectGrants,
    projects: MongoProjects,
) -> Target[Granter]:
    """The organization whose grants are listed; members of a project grant may list those given by it, naming it as a
    condition.
    """
    named = header_org_id(context)
    for condition in request.queries:
        if id := condition.project_grant_id_query.project_grant_id:
            found = await find_with_project(id, grants, projects)
            org_id = found.grant.granted_org_id if found else ""
            may = found is not None and context.caller.may(Permission.USER_GRANT_READ, org_id, id)
            if found and may and named in ("", org_id):
                return Target(org_id, Granter(org_id, found), PROJECT_GRANT_NOT_FOUND, project_id=id)
    org = await own_or_named_org(context, request, orgs=orgs)
    return Target(org.org_id, Granter(org.org_id), org.absent)


async def named_grant(context: RequestContext, request: NamesGrant, *, accounts: MongoAccounts) -> Target[UserGrant]:
    """The grant whose id the request has. It belongs to the organization that gave it.

    Raises:
        ServiceError: USER-724 when there is none, whichever of the two ids is wrong; USER-313 for a header that may not be.
    """
    header_org_id(context)
    user = await accounts.find(request.user_id[: MAX_LENGTH + 1])
    if user is None or user.state is State.DELETED:
        raise GRANT_NOT_FOUND.error()
    grant = load_grant(user.id, user.grants, request.grant_id)
    held = UserGrant(user, grant)
    return Target(grant.org_id, held, GRANT_NOT_FOUND, user_id=user.id, project_id=grant.project_grant_id)
