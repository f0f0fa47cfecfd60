"""Finds the service user a request names."""

from __future__ import annotations

from portico_users.api.transport.call import RequestContext, Target
from portico_users.api.transport.targets import USER_NOT_FOUND, NamesUser, named_user
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.service_users.service_user import ServiceUser


async def named_service_user(
    context: RequestContext, request: NamesUser, *, accounts: MongoAccounts
) -> Target[ServiceUser]:
    """The service user whose id the request has.

    Raises:
        ServiceError: USER-315 when there is none, or the user is a person; USER-313 for a header that may not be.
    """
    target = await named_user(context, request, accounts=accounts)
    if not isinstance(target.subject, ServiceUser):
        raise USER_NOT_FOUND.error()
    return Target(target.org_id, target.subject, USER_NOT_FOUND, user_id=target.user_id)
