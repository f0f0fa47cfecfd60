"""Finds the service user a request names."""

from __future__ import annotations

from portico_users.machines.machine import Machine
from portico_users.management.call import Question, Target
from portico_users.management.targets import USER_NOT_FOUND, NamesUser, named_user


async def named_machine(question: Question, request: NamesUser) -> Target[Machine]:
    """The service user whose id the request has.

    Raises:
        ServiceError: USER-315 when there is none, or the user is a person; USER-313 for a header that may not be.
    """
    target = await named_user(question, request)
    if not isinstance(target.subject, Machine):
        raise USER_NOT_FOUND.error()
    return Target(target.org_id, target.subject, USER_NOT_FOUND, user_id=target.user_id)
