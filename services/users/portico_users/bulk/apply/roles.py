"""Plans memberships: those a user is named with, and those of members named by the scope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portico_contracts import apply as document
from portico_oauth.errors import ErrorCode, Kind

from portico_users.bulk.apply.plan import Plan
from portico_users.bulk.apply.step import Subject, step_of
from portico_users.commands.command import Assembled
from portico_users.commands.members import SetMember
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.members.member import Member, MemberScope
from portico_users.kernel.entry import Entry
from portico_users.kernel.problems import at, below
from portico_users.kernel.records import State

CONTRADICTION = ErrorCode(
    "USER-833",
    Kind.INVALID_REQUEST,
    "The document contains contradictory entries for this user.",
    "Set the roles of a user in one place, and list every member in the list of users if there is one.",
)
MEMBER_UNKNOWN = ErrorCode(
    "USER-834",
    Kind.NOT_FOUND,
    "User not found.",
    "Use the id or user name of a user who is stored or in the document.",
)


@dataclass(frozen=True, slots=True)
class MemberPlanner(Assembled):
    """Plans memberships."""

    set_member: SetMember

    async def plan_roles(
        self, plan: Plan, before: AnyUser | None, after: AnyUser, wanted: Sequence[str] | None, path: str
    ) -> tuple[Entry[Member], ...]:
        """Exactly the wanted roles in every scope they name; pruning, also in the user's other scopes.

        Args:
            path: place of the user in the document.

        Raises:
            ServiceError: USER-040 with the place, for a role there is not.
        """
        if wanted is None:
            return ()
        with below(path):
            entries, named = await self.set_member.plan_own(after, wanted, is_new=before is None, exact=plan.prune)
        plan.held.update((after.id, scope_id) for scope_id in named)
        return entries

    async def plan_members(self, plan: Plan, scope: MemberScope, wanted: Sequence[document.Member], path: str) -> None:
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
            if (user.id, scope.id) in plan.held:
                raise at(f"{here}.user", CONTRADICTION.error())
            plan.held.add((user.id, scope.id))
            id = await plan.new_id(f"{here} {user.id} in {scope.id}")
            with below(here):
                entry = await self.set_member.plan(scope, user, one.roles, id=id)
            plan.steps.append(step_of(Subject("member", here, f"{user.user_name} in {scope.id}"), entry))
