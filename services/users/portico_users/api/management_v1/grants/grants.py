"""Gives roles to users, changes and takes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from portico_contracts.generated.portico.management.v1 import user_grant_service_pb2 as pb

from portico_users.api.management_v1.grants.grant_targets import Giver
from portico_users.api.management_v1.project_grants.project_grant_targets import find_grant
from portico_users.api.management_v1.projects.project_targets import PROJECT_NOT_FOUND
from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import changed_details_of, details_of
from portico_users.api.shared.listing import AsQuestion, details_of_list, page_of, questions_of
from portico_users.api.transport.call import Call
from portico_users.api.transport.targets import USER_NOT_FOUND
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.accounts.grant_search import UserGrant, put_grants
from portico_users.directory.grants.project_grant import ProjectGrant
from portico_users.directory.grants.project_grant_changes import (
    PROJECT_GRANT_NOT_FOUND,
    USER_OF_OTHERS,
    refuse_roles_not_granted,
)
from portico_users.directory.grants.role_grants import GRANT_EXISTS, RoleGrant
from portico_users.directory.people.human import Human
from portico_users.directory.projects.project import Project
from portico_users.directory.projects.role_changes import refuse_unknown_roles
from portico_users.kernel.names import MAX_LENGTH
from portico_users.kernel.problems import at
from portico_users.kernel.records import State
from portico_users.kernel.states import NOT_ACTIVE, NOT_INACTIVE, refuse_unchanged

_CONDITIONS: Final[dict[str, AsQuestion]] = {
    "user_id_query": lambda query: {"_id": query.user_id},
    "project_id_query": lambda query: {"grants.projectId": query.project_id},
    "role_key_query": lambda query: {"grants.roleKeys": query.role_key},
    "project_grant_id_query": lambda query: {"grants.projectGrantId": query.project_grant_id},
}


async def add_user_grant(call: Call[Giver], request: pb.AddUserGrantRequest) -> pb.AddUserGrantResponse:
    """Gives a user roles in a project of the organization, or in one that was granted to it.

    Raises:
        ServiceError: USER-315 for a user who is unknown, or whose organization the caller has no business in; USER-705
            for a project that is not the organization's; USER-042, USER-043; USER-725 where there is a grant. By a
            project grant USER-873 for a role it does not have, USER-874 for a user of another organization.
    """
    user = await _load_user(call, request.user_id)
    if received := call.target.subject.received:
        _refuse_others(user, received.grant)
        refuse_roles_not_granted(received.grant, request.role_keys)
    else:
        project = await _load_project(call, request.project_id)
        refuse_unknown_roles(project, request.role_keys)
    grant = RoleGrant(
        project_id=request.project_id,
        org_id=call.target.org_id,
        role_keys=_sorted(request.role_keys),
        project_grant_id=request.project_grant_id,
    )
    if any(_same_place(grant, other) for other in user.grants):
        raise GRANT_EXISTS.error()
    record = await commit(call, put_grants(user, (*user.grants, grant)))
    return pb.AddUserGrantResponse(user_grant_id=UserGrant(user, grant).id, details=changed_details_of(record))


async def get_user_grant_by_id(
    call: Call[UserGrant], _request: pb.GetUserGrantByIDRequest
) -> pb.GetUserGrantByIDResponse:
    """The grant."""
    return pb.GetUserGrantByIDResponse(user_grant=_message(call.target.subject))


async def update_user_grant(call: Call[UserGrant], request: pb.UpdateUserGrantRequest) -> pb.UpdateUserGrantResponse:
    """Replaces the roles; USER-042 for one the project does not have, USER-873 for one the organization was not
    granted, USER-702 when nothing would change.
    """
    grant = call.target.subject.grant
    project = await call.needs.projects.find(grant.project_id)
    if project is None or project.state is State.DELETED:
        raise PROJECT_NOT_FOUND.error()
    refuse_unknown_roles(project, request.role_keys)
    if grant.project_grant_id:
        received = await find_grant(call.needs, grant.project_grant_id)
        if received is None:
            raise PROJECT_GRANT_NOT_FOUND.error()
        refuse_roles_not_granted(received.grant, request.role_keys)
    record = await _replace(call, role_keys=_sorted(request.role_keys))
    return pb.UpdateUserGrantResponse(details=changed_details_of(record))


async def deactivate_user_grant(
    call: Call[UserGrant], _request: pb.DeactivateUserGrantRequest
) -> pb.DeactivateUserGrantResponse:
    """Tokens no longer tell the roles; USER-700 when it is not active."""
    if not call.target.subject.grant.active:
        raise NOT_ACTIVE.error()
    return pb.DeactivateUserGrantResponse(details=changed_details_of(await _replace(call, active=False)))


async def reactivate_user_grant(
    call: Call[UserGrant], _request: pb.ReactivateUserGrantRequest
) -> pb.ReactivateUserGrantResponse:
    """Tokens tell the roles again; USER-701 when it is not inactive."""
    if call.target.subject.grant.active:
        raise NOT_INACTIVE.error()
    return pb.ReactivateUserGrantResponse(details=changed_details_of(await _replace(call, active=True)))


async def remove_user_grant(call: Call[UserGrant], _request: pb.RemoveUserGrantRequest) -> pb.RemoveUserGrantResponse:
    """Takes the roles away."""
    user, grant = call.target.subject
    left = tuple(other for other in user.grants if other != grant)
    record: AnyUser = await commit(call, put_grants(user, left))
    return pb.RemoveUserGrantResponse(details=changed_details_of(record))


async def list_user_grants(call: Call[Giver], request: pb.ListUserGrantsRequest) -> pb.ListUserGrantsResponse:
    """A page of what the organization has given, by user name."""
    conditions = questions_of(request.queries, _CONDITIONS)
    found = await call.needs.grants.search(call.target.org_id, conditions, page_of(request.query, "nameKey"))
    return pb.ListUserGrantsResponse(
        details=details_of_list(found.total), result=[_message(held) for held in found.grants]
    )


async def _load_user(call: Call[Giver], user_id: str) -> AnyUser:
    user = await call.needs.accounts.find(user_id[: MAX_LENGTH + 1])
    known = user is not None and call.caller.knows(user.org_id, call.target.project_id)
    if user is None or user.state is State.DELETED or not known:
        raise USER_NOT_FOUND.error()
    return user


def _refuse_others(user: AnyUser, grant: ProjectGrant) -> None:
    if user.org_id != grant.granted_org_id:
        raise at("userId", USER_OF_OTHERS.error())


async def _load_project(call: Call[Giver], project_id: str) -> Project:
    project = await call.needs.projects.find(project_id)
    if project is None or project.state is State.DELETED or project.org_id != call.target.org_id:
        raise at("projectId", PROJECT_NOT_FOUND.error())
    return project


async def _replace(call: Call[UserGrant], *, role_keys: tuple[str, ...] = (), active: bool | None = None) -> AnyUser:
    user, before = call.target.subject
    after = msgspec.structs.replace(
        before,
        role_keys=role_keys or before.role_keys,
        active=before.active if active is None else active,
    )
    entry = put_grants(user, tuple(after if other == before else other for other in user.grants))
    refuse_unchanged(user, entry.after)
    record: AnyUser = await commit(call, entry)
    return record


def _same_place(grant: RoleGrant, other: RoleGrant) -> bool:
    return (grant.project_id, grant.org_id) == (other.project_id, other.org_id)


def _sorted(role_keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(role_keys)))


def _message(held: UserGrant) -> pb.UserGrant:
    user, grant = held
    return pb.UserGrant(
        id=held.id,
        details=details_of(user),
        state=pb.USER_GRANT_STATE_ACTIVE if grant.active else pb.USER_GRANT_STATE_INACTIVE,
        user_id=user.id,
        user_name=user.user_name,
        display_name=user.display_name if isinstance(user, Human) else user.name,
        org_id=grant.org_id,
        project_id=grant.project_id,
        role_keys=grant.role_keys,
        project_grant_id=grant.project_grant_id,
    )
