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

from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import Details, changed_details_of
from portico_users.api.transport.call import Call, RequestContext, Target
from portico_users.api.transport.targets import USER_NOT_FOUND, header_org_id
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.accounts.states import DEACTIVATE, LOCK, REACTIVATE, UNLOCK, Transition, put_state
from portico_users.kernel.names import MAX_LENGTH
from portico_users.kernel.records import State

_DELETED = State.DELETED.value


async def deactivate_user(call: Call[AnyUser], _request: DeactivateUserRequest) -> DeactivateUserResponse:
    """Ends everything granted to the user, who cannot sign in any more.

    Raises:
        ServiceError: USER-700 when it is not active; `unavailable` also when it is done and its grants live on: the
            same call again then succeeds.
    """
    return DeactivateUserResponse(details=await _change(call, DEACTIVATE))


async def reactivate_user(call: Call[AnyUser], _request: ReactivateUserRequest) -> ReactivateUserResponse:
    """Lets a deactivated user sign in again; USER-701 for one that is not deactivated."""
    return ReactivateUserResponse(details=await _change(call, REACTIVATE))


async def lock_user(call: Call[AnyUser], _request: LockUserRequest) -> LockUserResponse:
    """Ends everything granted to the user, who cannot sign in until unlocked. Raises as `deactivate_user`."""
    return LockUserResponse(details=await _change(call, LOCK))


async def unlock_user(call: Call[AnyUser], _request: UnlockUserRequest) -> UnlockUserResponse:
    """Lets a locked user sign in again, without a delay; USER-401 for one that is not locked."""
    details = await _change(call, UNLOCK)
    await call.needs.passwords.reset_attempts(call.target.subject.id)
    return UnlockUserResponse(details=details)


async def user_to_delete(context: RequestContext, request: DeleteUserRequest) -> Target[AnyUser]:
    """The user, also one that is deleted and whose grants are not known to be ended.

    Raises:
        ServiceError: as `named_user`.
    """
    header_org_id(context)
    needs = context.needs
    user = await needs.accounts.find(request.user_id[: MAX_LENGTH + 1])
    if user is None or (user.state is State.DELETED and not await needs.revocations.is_pending(user.id, _DELETED)):
        raise USER_NOT_FOUND.error()
    return Target(user.org_id, user, USER_NOT_FOUND, user_id=user.id)


async def delete_user(call: Call[AnyUser], _request: DeleteUserRequest) -> DeleteUserResponse:
    """Deletes the user and ends everything granted to it; nobody can have its id again.

    Raises:
        ServiceError: USER-012; `unavailable` also when it is done and its grants live on: the same call again then
            succeeds.
    """
    user, needs = call.target.subject, call.needs
    details = changed_details_of(user)
    if user.state is not State.DELETED:
        revocation = needs.revocations.request_revocation(user.id, _DELETED, sessions=True)
        entries = needs.deletion.plan(user, await needs.members.list_of_user(user.id), revocation)
        record, *_ = await needs.journal.commit(entries, actor=call.caller.user_id)
        details = changed_details_of(record)
    await needs.revocations.complete(user.id)
    return DeleteUserResponse(details=details)


async def _change(call: Call[AnyUser], transition: Transition) -> Details:
    user, revocations = call.target.subject, call.needs.revocations
    cause = transition.after.value
    if not transition.ends_grants:
        return changed_details_of(await commit(call, put_state(user, transition)))
    # Who was answered 503 asks again: the state is as wanted, and only the end of the grants was missing.
    if user.state is not transition.after or not await revocations.is_pending(user.id, cause):
        user = await commit(
            call, put_state(user, transition, revocations.request_revocation(user.id, cause, sessions=True))
        )
    await revocations.complete(user.id)
    return changed_details_of(user)
