"""Which users are due at which targets after a change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from portico_contracts.events import GROUP_CHANGED, ORG_CHANGED, SCIM_TARGET_CHANGED, USER_CHANGED, Changed
from portico_contracts.subjects import Event
from portico_runtime.process.clock import Clock

from portico_users.scim_targets.queues import TargetQueues
from portico_users.scim_targets.runs import RunKind, TargetRuns
from portico_users.scim_targets.target import Included, MongoScimTargets, ScimTarget
from portico_users.scim_targets.target_users import TargetUsers
from portico_users.values.records import State

KNOWN_SECONDS: Final = 2.0
"""How long a replica may not notice the first target of an organization, so that changes elsewhere cost no read."""

SETTLING_SECONDS: Final = 3.0
"""A comparison begins so long after its cause: by then every replica notices the target, and the rest is compared."""

_OF_MANY: Final = {GROUP_CHANGED.subject: {"grants", "parents", "state"}, ORG_CHANGED.subject: {"state"}}
"""Changes that concern many users at once, by the changed fields."""


@dataclass(slots=True)
class KnownOrganizations:
    """The organizations with active targets, as this replica read them last."""

    ids: frozenset[str] = frozenset()
    until: float = 0.0


@dataclass(frozen=True, slots=True)
class TargetChanges:
    targets: MongoScimTargets
    people: TargetUsers
    runs: TargetRuns
    queues: TargetQueues
    clock: Clock
    known: KnownOrganizations = field(default_factory=KnownOrganizations)

    async def consume(self, event: Event[Changed], changes: Sequence[Changed]) -> None:
        """Idempotent. A target gets users of its own organization only (MG-01)."""
        if event.subject == USER_CHANGED.subject:
            await self._of_users(changes)
            return
        for changed in changes:
            if event.subject == SCIM_TARGET_CHANGED.subject:
                await self._of_target(changed)
            elif self._is_of_many(event, changed):
                await self._of_people(event, changed)

    @staticmethod
    def _is_of_many(event: Event[Changed], changed: Changed) -> bool:
        return not _OF_MANY.get(event.subject, set()).isdisjoint(changed.fields)

    async def _of_users(self, changes: Sequence[Changed]) -> None:
        changed_in: dict[str, list[str]] = {}
        for changed in changes:
            if changed.org_id in await self._organizations():
                changed_in.setdefault(changed.org_id, []).append(changed.aggregate_id)
        for org_id, user_ids in changed_in.items():
            targets = [one.id for one in await self.targets.list_active_in(org_id)]
            await self.people.mark(targets, user_ids)
            await self.queues.wake(targets)

    async def _of_people(self, event: Event[Changed], changed: Changed) -> None:
        if changed.org_id not in await self._organizations():
            return
        targets = await self.targets.list_active_in(changed.org_id)
        by_roles = event.subject == GROUP_CHANGED.subject
        targets = [one for one in targets if one.people is Included.ROLES or not by_roles]
        await self._compare(targets)
        await self.queues.wake(one.id for one in targets)

    async def _of_target(self, changed: Changed) -> None:
        """An activation, and other settings of an active target, concern all of its users."""
        self.known.until = 0.0
        target = await self.targets.find(changed.aggregate_id)
        if target is None:
            return
        if target.state is State.ACTIVE:
            await self._compare([target])
        await self.queues.reset_attempts(target.id)
        await self.queues.wake((target.id,))

    async def _compare(self, targets: list[ScimTarget]) -> None:
        for target in targets:
            await self.runs.request(target.id, RunKind.COMPARISON, wait=SETTLING_SECONDS)

    async def _organizations(self) -> frozenset[str]:
        now = self.clock.now()
        if now >= self.known.until:
            self.known.ids = await self.targets.list_organizations()
            self.known.until = now + KNOWN_SECONDS
        return self.known.ids
