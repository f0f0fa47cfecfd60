"""Refuses a plan after which an organization, together with the instance, would demand a second factor and allow none.

Both are judged as planned, before anything is written: also organizations that the document does not mention.
"""

from __future__ import annotations

from dataclasses import dataclass

from portico_users.bulk.apply.plan import Plan, PlannedOrg
from portico_users.commands.command import Assembled
from portico_users.directory.organizations.login_constraints import MAX_NAMED, left_without, locked_out_by
from portico_users.directory.organizations.org import MongoOrgs
from portico_users.directory.policies.login_rules import FORCED_WITHOUT, LoginRules, admits_no_user, narrows
from portico_users.kernel.problems import at


@dataclass(frozen=True, slots=True)
class FactorGuard(Assembled):
    """Refuses login rules that require a second factor while none is allowed."""

    orgs: MongoOrgs

    async def require_factors(self, plan: Plan, before: LoginRules, after: LoginRules) -> None:
        """Returns when every organization the plan changes, or changes the instance for, allows a factor where it requires one.

        Args:
            before, after: the rules of the instance.

        Raises:
            ServiceError: USER-883 with the place of an organization of the document, USER-911 with the ids of others.
        """
        narrowed = narrows(before, after)
        for home in plan.orgs:
            if admits_no_user(home.org.login_rules, after) and (narrowed or await self._changes(plan, home)):
                place = ".loginPolicy.forceMfa" if home.wanted.login_policy else ""
                raise at(f"{home.path}{place}", FORCED_WITHOUT.error(org_id=home.org.id))
        question = locked_out_by(after) if narrowed else None
        if question is None:
            return
        others = {**question, "_id": {"$nin": [home.org.id for home in plan.orgs]}}
        if found := await self.orgs.list_where(others, MAX_NAMED):
            raise at("loginPolicy", left_without([org.id for org in found]))

    async def _changes(self, plan: Plan, home: PlannedOrg) -> bool:
        stored = await self.orgs.find(home.org.id)
        return stored is None or stored.login_rules != home.org.login_rules
