"""Adds, changes and removes members."""

from __future__ import annotations

from typing import Protocol

from google.protobuf.internal.containers import RepeatedScalarFieldContainer
from portico_contracts.generated.portico.management.v1 import member_pb2 as pb
from portico_contracts.generated.portico.management.v1 import member_service_pb2 as projects

from portico_users.api.management_v1.members.member_scopes import MemberScope
from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.transport.targets import USER_NOT_FOUND
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.members import changes as commands
from portico_users.directory.members.member import Member
from portico_users.directory.members.roles import Scope
from portico_users.kernel.entry import Entry
from portico_users.kernel.names import MAX_LENGTH
from portico_users.kernel.records import State


class NamesRoles(Protocol):
    """A request with a user and roles."""

    @property
    def user_id(self) -> str:
        """The id of the user."""
        ...

    @property
    def roles(self) -> RepeatedScalarFieldContainer[str]:
        """The roles."""
        ...


async def add_member(call: Call[MemberScope], request: pb.AddMemberRequest) -> pb.AddMemberResponse:
    """Gives a user roles.

    Raises:
        ServiceError: USER-315 for a user who is unknown, or whose organization the caller has no business in; USER-040
            for a role there is not here; USER-713 for somebody who is a member.
    """
    return pb.AddMemberResponse(details=changed_details_of(await _add(call, request)))


async def update_member(call: Call[MemberScope], request: pb.UpdateMemberRequest) -> pb.UpdateMemberResponse:
    """Replaces the roles; USER-714 for somebody who is no member, USER-040, USER-702."""
    return pb.UpdateMemberResponse(details=changed_details_of(await _update(call, request)))


async def remove_member(call: Call[MemberScope], request: pb.RemoveMemberRequest) -> pb.RemoveMemberResponse:
    """Takes all roles away; USER-714 for somebody who is no member."""
    return pb.RemoveMemberResponse(details=changed_details_of(await _remove(call, request.user_id)))


async def add_project_member(
    call: Call[MemberScope], request: projects.AddProjectMemberRequest
) -> pb.AddMemberResponse:
    """As `add_member`."""
    return pb.AddMemberResponse(details=changed_details_of(await _add(call, request)))


async def update_project_member(
    call: Call[MemberScope], request: projects.UpdateProjectMemberRequest
) -> pb.UpdateMemberResponse:
    """As `update_member`."""
    return pb.UpdateMemberResponse(details=changed_details_of(await _update(call, request)))


async def remove_project_member(
    call: Call[MemberScope], request: projects.RemoveProjectMemberRequest
) -> pb.RemoveMemberResponse:
    """As `remove_member`."""
    return pb.RemoveMemberResponse(details=changed_details_of(await _remove(call, request.user_id)))


async def add_project_grant_member(
    call: Call[MemberScope], request: projects.AddProjectGrantMemberRequest
) -> pb.AddMemberResponse:
    """As `add_member`."""
    return pb.AddMemberResponse(details=changed_details_of(await _add(call, request)))


async def update_project_grant_member(
    call: Call[MemberScope], request: projects.UpdateProjectGrantMemberRequest
) -> pb.UpdateMemberResponse:
    """As `update_member`."""
    return pb.UpdateMemberResponse(details=changed_details_of(await _update(call, request)))


async def remove_project_grant_member(
    call: Call[MemberScope], request: projects.RemoveProjectGrantMemberRequest
) -> pb.RemoveMemberResponse:
    """As `remove_member`."""
    return pb.RemoveMemberResponse(details=changed_details_of(await _remove(call, request.user_id)))


async def _add(call: Call[MemberScope], request: NamesRoles) -> Member:
    scope = call.target.subject
    user = await _load_user(call, request.user_id)
    before = await call.needs.members.find_of(user.id, scope.id)
    after = Member(
        id=call.needs.new_id(),
        org_id=user.org_id if scope.kind is Scope.INSTANCE else scope.org_id,
        user_id=user.id,
        scope=scope.kind,
        scope_id=scope.id,
        roles=tuple(sorted(set(request.roles))),
    )
    return await _commit(call, commands.add_member(before, after))


async def _update(call: Call[MemberScope], request: NamesRoles) -> Member:
    before = await _load(call, request.user_id)
    return await _commit(call, commands.update_member(before, list(request.roles)))


async def _remove(call: Call[MemberScope], user_id: str) -> Member:
    return await _commit(call, commands.remove_member(await _load(call, user_id)))


async def _commit(call: Call[MemberScope], entry: Entry[Member]) -> Member:
    return await commit(call, entry)


async def _load_user(call: Call[MemberScope], user_id: str) -> AnyUser:
    user = await call.needs.accounts.find(user_id[: MAX_LENGTH + 1])
    # Members of a project grant give roles to users of the organization that has it.
    granted = call.target.project_id if call.target.subject.kind is Scope.PROJECT_GRANT else ""
    # Whom the caller could not find out about cannot be found out about by making them a member (MG-04).
    if user is None or user.state is State.DELETED or not call.caller.knows(user.org_id, granted):
        raise USER_NOT_FOUND.error()
    return user


async def _load(call: Call[MemberScope], user_id: str) -> Member:
    member = await call.needs.members.find_of(user_id, call.target.subject.id)
    if member is None or not member.roles:
        raise commands.MEMBER_NOT_FOUND.error()
    return member
