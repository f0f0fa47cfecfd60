"""Finds what a call is about. Each function here serves all operations that name their object the same way."""

from __future__ import annotations

from typing import Final, Protocol

from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.transport.call import Question, Target
from portico_users.api.transport.caller import Caller
from portico_users.api.transport.decision import NOT_PERMITTED
from portico_users.api.transport.needs import Needs
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.members.permissions import Permission
from portico_users.directory.organizations.org import Org
from portico_users.kernel.names import MAX_LENGTH
from portico_users.kernel.records import State

USER_NOT_FOUND = ErrorCode("USER-315", Kind.NOT_FOUND, "There is no such user.", "Check the id of the user.")
ORG_NOT_FOUND = ErrorCode(
    "USER-314", Kind.NOT_FOUND, "There is no such organization.", "Check the id of the organization."
)
INVALID_ORG_HEADER = ErrorCode(
    "USER-313",
    Kind.PERMISSION_DENIED,
    "You may not act in the organization the header names.",
    "Name one organization you have a role in, or leave the header out.",
)

EVERYWHERE: Final = ""
"""The organization of targets that belong to the whole instance."""


class Asked(Protocol):
    """A call, or the question what it is about."""

    @property
    def caller(self) -> Caller:
        """Who."""
        ...

    @property
    def needs(self) -> Needs:
        """With what."""
        ...


class NamesUser(Protocol):
    """A request with the id of a user."""

    @property
    def user_id(self) -> str:
        """The id."""
        ...


async def find_org(asked: Asked, org_id: str) -> Org | None:
    """The organization of an id; the caller's own is at hand since it was read with the caller, in this same call."""
    own = asked.caller.org
    return own if own is not None and own.id == org_id else await asked.needs.orgs.find(org_id)


async def own_or_named_org(question: Question, _request: object) -> Target[Org]:
    """The organization the header names, or the caller's own.

    Raises:
        ServiceError: USER-313 for one that is unknown, or where the caller has no role.
    """
    org_id = header_org_id(question) or question.caller.org_id
    org = await find_org(question, org_id)
    if org is None or org.state is not State.ACTIVE:
        raise INVALID_ORG_HEADER.error(org=org_id)
    return Target(org.id, org, ORG_NOT_FOUND)


async def named_user(question: Question, request: NamesUser) -> Target[AnyUser]:
    """The user whose id the request has.

    Raises:
        ServiceError: USER-315 when there is none; USER-313 for a header that may not be.
    """
    return await user_of(question, request.user_id)


async def user_of(question: Question, user_id: str) -> Target[AnyUser]:
    """The user of an id, for requests that name it otherwise. Raises as `named_user`."""
    header_org_id(question)
    user = await question.needs.accounts.find(user_id[: MAX_LENGTH + 1])
    if user is None or user.state is State.DELETED:
        raise USER_NOT_FOUND.error()
    return Target(user.org_id, user, USER_NOT_FOUND, user_id=user.id)


async def readable_orgs(question: Question, _request: object) -> Target[tuple[str, ...] | None]:
    """The organizations the caller may read users of; None for all of them. A header makes it that one.

    Raises:
        ServiceError: USER-312 when there is none.
    """
    return _orgs_where(question, Permission.USER_READ)


async def orgs_of_events(question: Question, _request: object) -> Target[tuple[str, ...] | None]:
    """The organizations whose events the caller may read, as `readable_orgs`."""
    return _orgs_where(question, Permission.EVENTS_READ)


def _orgs_where(question: Question, permission: Permission) -> Target[tuple[str, ...] | None]:
    caller = question.caller
    if named := header_org_id(question):
        return Target(named, (named,), ORG_NOT_FOUND)
    if permission in caller.everywhere:
        return Target(EVERYWHERE, None, ORG_NOT_FOUND)
    org_ids = caller.orgs_where(permission)
    if not org_ids:
        raise NOT_PERMITTED.error(named=permission)
    return Target(org_ids[0], org_ids, ORG_NOT_FOUND)


def header_org_id(question: Question) -> str:
    """The organization the header selects; empty without one.

    Raises:
        ServiceError: USER-313 when there are several, or the caller has no role in it; unknown ones look the same.
    """
    if not question.org_ids:
        return ""
    org_id = question.org_ids[0]
    if len(question.org_ids) > 1 or not question.caller.knows(org_id):
        raise INVALID_ORG_HEADER.error()
    return org_id
