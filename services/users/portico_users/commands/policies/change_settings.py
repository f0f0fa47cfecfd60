"""Changes what organizations and the instance have in common: their policies and login rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from portico_users.commands.command import Command, Commit
from portico_users.commands.organizations.orgs import put_org
from portico_users.directory.instance.instance import Instance
from portico_users.directory.instance.store import INSTANCES
from portico_users.directory.organizations.org import Org
from portico_users.directory.policies import login_rules, policies
from portico_users.kernel.entry import Entry
from portico_users.kernel.problems import refuse_first
from portico_users.kernel.records import Record
from portico_users.kernel.states import refuse_unchanged

Holder = Org | Instance
"""What has policies: an organization, or the instance for all organizations without their own."""


@dataclass(frozen=True, slots=True)
class ChangeSettings(Command):
    """Replaces the settings of a holder."""

    commit: Commit

    def plan(self, before: Holder, after: Holder) -> Entry[Any]:
        """Plans the change; an instance that was never written is created.

        Raises:
            ServiceError: of the rules for organizations and policies; USER-883 for a second factor that is required
                while none is allowed.
        """
        if isinstance(after, Org):
            return put_org(before if isinstance(before, Org) else None, after)
        return put_instance(before if isinstance(before, Instance) and before.sequence else None, after)

    async def __call__(self, before: Holder, after: Holder, *, actor: str) -> Record:
        """The holder as it was changed. Raises as `plan`; USER-702 when nothing would change."""
        refuse_unchanged(before, after)
        changed: Record = await self.commit(self.plan(before, after), actor=actor)
        return changed


def put_instance(before: Instance | None, after: Instance) -> Entry[Instance]:
    """Sets the settings for the first time, or changes them. Raises what the rules for them find."""
    refuse_first(login_rules.problems_of(after.login_rules), "")
    refuse_first(policies.problems_of(after.policies), "")
    return Entry(INSTANCES, before, after)
