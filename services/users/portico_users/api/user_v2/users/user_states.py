"""Deactivates, reactivates, locks, unlocks and deletes users of either kind."""

from __future__ import annotations

from portico_contracts.generated.portico.user.v2.user_changes_pb2 import (
    DeleteUserRequest,
)

from portico_users.api.transport.call import RequestContext, Target
from portico_users.api.transport.targets import USER_NOT_FOUND, header_org_id
from portico_users.commands.accounts.user_states import DeleteUser
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.kernel.names import MAX_LENGTH
from portico_users.kernel.records import State


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
