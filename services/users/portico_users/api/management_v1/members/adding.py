"""Adds members."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import member_pb2 as pb
from portico_contracts.generated.portico.management.v1 import member_service_pb2 as projects

from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.transport.targets import USER_NOT_FOUND
from portico_users.commands.members.members import AddMember
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.members.member import MemberScope
from portico_users.directory.members.roles import Scope
from portico_users.kernel.names import MAX_LENGTH
from portico_users.kernel.records import State

AnyRequest = pb.AddMemberRequest | projects.AddProjectMemberRequest | projects.AddProjectGrantMemberRequest


async def add_member(
    call: Call[MemberScope], request: AnyRequest, *, add: AddMember, accounts: MongoAccounts
) -> pb.AddMemberResponse:
    """Makes a user a member. Raises as `AddMember`; USER-315 for a user the caller may not know of."""
    user = await _load_user(call, request.user_id, accounts)
    record = await add(call.target.subject, user, request.roles, actor=call.caller.user_id)
    return pb.AddMemberResponse(details=changed_details_of(record))


async def _load_user(call: Call[MemberScope], user_id: str, accounts: MongoAccounts) -> AnyUser:
    user = await accounts.find(user_id[: MAX_LENGTH + 1])
    # Members of a project grant give roles to users of the organization that has it.
    granted = call.target.project_id if call.target.subject.kind is Scope.PROJECT_GRANT else ""
    # A caller who may not know of a user does not learn of them by making them a member (MG-04).
    if user is None or user.state is State.DELETED or not call.caller.knows(user.org_id, granted):
        raise USER_NOT_FOUND.error()
    return user
