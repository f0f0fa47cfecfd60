"""Plans memberships: those a user is named with, and those of members named by the scope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from portico_contracts import apply as document
from portico_oauth.errors import ErrorCode, Kind

from portico_users.bulk.apply.plan import Plan
from portico_users.bulk.apply.step import Step, Subject, step_of
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.members.changes import problems_of, put_roles, remove_member
from portico_users.directory.members.member import Member
from portico_users.directory.members.roles import ROLES, Scope
from portico_users.directory.members.store import MEMBERS
from portico_users.kernel.entry import Entry
from portico_users.kernel.names import INSTANCE
from portico_users.kernel.problems import at, refuse_first
from portico_users.kernel.records import State

CONTRADICTION = ErrorCode(
    "USER-833",
    Kind.INVALID_REQUEST,
    "The document says two things of this user.",
    "Name the roles of a user in one place, and nobody as a member whom a list of users leaves out.",
)
MEMBER_UNKNOWN = ErrorCode(
    "USER-834",
    Kind.NOT_FOUND,
    "There is no such user.",
    "Name a user by its id or its user name, stored or of the document.",
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where members have their roles.

    Args:
        id: of the organization, project or project grant, or of the instance.
        org_id: the organization it belongs to; of the instance none.
    """

    kind: Scope
    id: str
    org_id: str = ""


async def plan_roles(
    plan: Plan, before: AnyUser | None, after: AnyUser, wanted: Sequence[str] | None, path: str
) -> tuple[Entry[Member], ...]:
    """Exactly the wanted roles in every scope they name; pruning, also in the user's other scopes.

    Args:
        path: place of the user in the document.

    Raises:
        ServiceError: USER-040 with the place, for a role there is not.
    """
    if wanted is None:
        return ()
    refuse_first(problems_of(wanted), path)
    memberships = await plan.stored.members.list_of_user(after.id) if before else []
    named = {after.org_id if ROLES[role] is Scope.ORGANIZATION else INSTANCE for role in wanted}
    entries = put_roles(memberships, wanted, user_id=after.id, org_id=after.org_id, random=plan.stored.random)
    plan.held.update((after.id, scope_id) for scope_id in named)
    if not plan.prune:
        return entries
    own = {after.org_id, INSTANCE} - named
    return (*entries, *(remove_member(one) for one in memberships if one.scope_id in own and one.roles))


async def plan_members(plan: Plan, place: Place, wanted: Sequence[document.Member], path: str) -> None:
    """Adds the steps that give members of one scope their roles.

    Args:
        path: of the list in the document.

    Raises:
        ServiceError: USER-834 for an unknown user, USER-833 for one named twice, USER-040 for a role there is not in
            the scope; each with its place.
    """
    for number, one in enumerate(wanted):
        here = f"{path}[{number}]"
        user = await plan.find_user(one.user)
        if user is None or user.state is State.DELETED:
            raise at(f"{here}.user", MEMBER_UNKNOWN.error())
        if (user.id, place.id) in plan.held:
            raise at(f"{here}.user", CONTRADICTION.error())
        refuse_first(problems_of(one.roles, place.kind), here)
        plan.held.add((user.id, place.id))
        plan.steps.append(await _step(plan, place, user, one.roles, here))


async def _step(plan: Plan, place: Place, user: AnyUser, roles: Sequence[str], path: str) -> Step:
    before = await plan.stored.members.find_of(user.id, place.id)
    sorted_roles = tuple(sorted(set(roles)))
    state = State.ACTIVE if roles else State.DELETED
    after = (
        msgspec.structs.replace(before, state=state, roles=sorted_roles)
        if before
        else Member(
            id=await plan.new_id(f"{path} {user.id} in {place.id}"),
            org_id=place.org_id or user.org_id,
            user_id=user.id,
            scope=place.kind,
            scope_id=place.id,
            roles=sorted_roles,
            state=state,
        )
    )
    return step_of(Subject("member", path, f"{user.user_name} in {place.id}"), Entry(MEMBERS, before, after))
