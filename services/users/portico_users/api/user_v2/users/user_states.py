"""Deactivates, reactivates, locks, unlocks and deletes users of either kind."""

from __future__ import annotations

from portico_contracts.generated.portico.user.v2.user_changes_pb2 import (
    DeactivateUserRequest,
    DeactivateUserResponse,
    DeleteUserRequest,
    DeleteUserResponse,
    LockUserRequest,
    LockUserResponse,
    ReactivateUserRequest,
    ReactivateUserResponse,
    UnlockUserRequest,
    UnlockUserResponse,
)

from portico_users.api.shared.details import Details, changed_details_of
from portico_users.api.transport.call import Call, RequestContext, Target
from portico_users.api.transport.targets import USER_NOT_FOUND, header_org_id
from portico_users.commands.accounts.user_states import ChangeUserState, DeleteUser
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.accounts.states import DEACTIVATE, LOCK, REACTIVATE, UNLOCK, Transition
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.kernel.names import MAX_LENGTH
from portico_users.kernel.records import State


async def deactivate_user(
    call: Call[AnyUser], _request: DeactivateUserRequest, *, change_state: ChangeUserState
) -> DeactivateUserResponse:
    """Ends everything granted to the user, who cannot sign in any more.

    Raises:
        ServiceError: USER-700 when it is not active; as `ChangeUserState`.
    """
    return DeactivateUserResponse(details=await _change(call, DEACTIVATE, change_state))


async def reactivate_user(
    call: Call[AnyUser], _request: ReactivateUserRequest, *, change_state: ChangeUserState
) -> ReactivateUserResponse:
    """Lets a deactivated user sign in again; USER-701 for one that is not deactivated."""
    return ReactivateUserResponse(details=await _change(call, REACTIVATE, change_state))


async def lock_user(
    call: Call[AnyUser], _request: LockUserRequest, *, change_state: ChangeUserState
) -> LockUserResponse:
    """Ends everything granted to the user, who cannot sign in until unlocked. Raises as `deactivate_user`."""
    return LockUserResponse(details=await _change(call, LOCK, change_state))


async def unlock_user(
    call: Call[AnyUser], _request: UnlockUserRequest, *, change_state: ChangeUserState
) -> UnlockUserResponse:
    """Lets a locked user sign in again, without a delay; USER-401 for one that is not locked."""
    return UnlockUserResponse(details=await _change(call, UNLOCK, change_state))


async def user_to_delete(
    context: RequestContext, request: DeleteUserRequest, *, accounts: MongoAccounts, delete: DeleteUser
) -> Target[AnyUser]:
    """The user, also one that is deleted and of which the revocation of its grants is not complete.

    Raises:
        ServiceError: as `named_user`.
    """
    header_org_id(context)
    user = await accounts.find(request.user_id[: MAX_LENGTH + 1])
    if user is None or (user.state is State.DELETED and not await delete.is_unfinished(user)):
        raise USER_NOT_FOUND.error()
    return Target(user.org_id, user, USER_NOT_FOUND, user_id=user.id)


async def delete_user(call: Call[AnyUser], _request: DeleteUserRequest, *, delete: DeleteUser) -> DeleteUserResponse:
    """Deletes the user and ends everything granted to it. Raises as `DeleteUser`."""
    return DeleteUserResponse(details=changed_details_of(await delete(call.target.subject, actor=call.caller.user_id)))


async def _change(call: Call[AnyUser], transition: Transition, change_state: ChangeUserState) -> Details:
    return changed_details_of(await change_state(call.target.subject, transition, actor=call.caller.user_id))
