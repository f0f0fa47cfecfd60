"""Counts whom the sign-in rules of a document would lock out, before it is applied (decision 0143)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from portico_contracts.users import CascadedDeletion

from portico_users.documents.step import Step
from portico_users.instance.instance import UNSET, Instance, MongoInstance
from portico_users.organizations.org import Org
from portico_users.policies.affected import AffectedUsers, FirstFactorQuestion, ways_of
from portico_users.policies.login_rules import in_force

KIND: Final = "user with no way to sign in any longer"


@dataclass(frozen=True, slots=True)
class LockedOut:
    affected: AffectedUsers
    instances: MongoInstance

    async def along_of(self, step: Step, steps: Sequence[Step]) -> tuple[CascadedDeletion, ...]:
        """The users who have a way to sign in, and none after this step; of at most 10,000 (`affected.MOST`).

        `steps` are all of the document, which may change the rules that organizations inherit.
        """
        entry = step.entries[0] if step.entries else None
        if entry is None or not isinstance(entry.after, Org | Instance) or not isinstance(entry.before, Org | Instance):
            return ()
        if entry.before.login_rules == entry.after.login_rules:
            return ()
        org_id = entry.after.id if isinstance(entry.after, Org) else ""
        stored = (await self.instances.find_settings() or UNSET).login_rules
        planned = [one.after.login_rules for each in steps for one in each.entries if isinstance(one.after, Instance)]
        inherited_after = planned[-1] if planned else stored
        before = in_force(entry.before.login_rules, stored) if org_id else in_force(entry.before.login_rules)
        after = in_force(entry.after.login_rules, inherited_after) if org_id else in_force(entry.after.login_rules)
        if ways_of(before) == ways_of(after):
            return ()
        asked = FirstFactorQuestion(ways_of(after), names=True, before=ways_of(before))
        found = await self.affected.count(org_id, after.factors, 0, asked)
        if not found.without_first_factor:
            return ()
        return (CascadedDeletion(kind=KIND, count=found.without_first_factor, names=found.login_names),)
