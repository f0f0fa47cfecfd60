"""Finds the scope a call about members is about."""

from __future__ import annotations

from portico_users.api.management_v1.project_grants.project_grant_targets import NamesProjectGrant, received_grant
from portico_users.api.management_v1.projects.project_targets import NamesProject, named_project
from portico_users.api.transport.call import RequestContext, Target
from portico_users.api.transport.decision import NOT_PERMITTED
from portico_users.api.transport.targets import EVERYWHERE, own_or_named_org
from portico_users.directory.grants.project_grant_store import MongoProjectGrants
from portico_users.directory.members.member import MemberScope
from portico_users.directory.members.roles import Scope
from portico_users.directory.organizations.store import MongoOrgs
from portico_users.directory.projects.store import MongoProjects
from portico_users.kernel.names import INSTANCE


async def instance_members(_context: RequestContext, _request: object) -> Target[MemberScope]:
    """Those of the instance."""
    return Target(EVERYWHERE, MemberScope(Scope.INSTANCE, INSTANCE, EVERYWHERE), NOT_PERMITTED)


async def org_members(context: RequestContext, request: object, *, orgs: MongoOrgs) -> Target[MemberScope]:
    """Those of the caller's organization, or of the one the header names."""
    org = await own_or_named_org(context, request, orgs=orgs)
    return Target(org.org_id, MemberScope(Scope.ORGANIZATION, org.org_id, org.org_id), org.absent)


async def project_members(
    context: RequestContext, request: NamesProject, *, projects: MongoProjects
) -> Target[MemberScope]:
    """Those of the project the request names."""
    project = await named_project(context, request, projects=projects)
    scope = MemberScope(Scope.PROJECT, project.subject.id, project.org_id)
    return Target(project.org_id, scope, project.absent, project_id=project.project_id)


async def project_grant_members(
    context: RequestContext, request: NamesProjectGrant, *, grants: MongoProjectGrants, projects: MongoProjects
) -> Target[MemberScope]:
    """Those of the project grant the request names, which are a matter of the organization it was made to: with it
    they may read that organization's users and give them roles.
    """
    received = await received_grant(context, request, grants=grants, projects=projects)
    scope = MemberScope(Scope.PROJECT_GRANT, received.subject.grant.id, received.org_id)
    return Target(received.org_id, scope, received.absent, project_id=received.project_id)
