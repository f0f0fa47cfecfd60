from __future__ import annotations

from dataclasses import dataclass

import msgspec
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import RandomBytes

from portico_users.identity_providers.secrets import SecretSealer
from portico_users.journal.command import Command, Commit
from portico_users.scim_targets.queues import TargetQueues
from portico_users.scim_targets.runs import RunKind, TargetRuns
from portico_users.scim_targets.target import (
    MAX_TARGETS,
    SCIM_TARGETS,
    TOKEN_OF_OTHER_URL,
    TOO_MANY_TARGETS,
    MongoScimTargets,
    ScimTarget,
    problems_of,
    remove_target,
)
from portico_users.scim_targets.tokens import with_token
from portico_users.storage.entry import Entry
from portico_users.values.names import new_id
from portico_users.values.operator_settings import OutboundAllowed
from portico_users.values.problems import at, refuse_first
from portico_users.values.records import State, deactivated, reactivated

TARGET_INACTIVE = ErrorCode(
    "USER-266",
    Kind.FAILED_PRECONDITION,
    "The SCIM target is not active.",
    "Activate it before you compare, or make a dry run.",
)


@dataclass(frozen=True, slots=True)
class AddScimTarget(Command):
    """Adds an inactive target, so that it can be tested and tried by a dry run before anything is sent."""

    commit: Commit
    targets: MongoScimTargets
    sealer: SecretSealer
    allowed: OutboundAllowed
    random: RandomBytes

    async def __call__(self, target: ScimTarget, token: str, *, actor: str) -> ScimTarget:
        if await self.targets.count(target.org_id) >= MAX_TARGETS:
            raise TOO_MANY_TARGETS.error()
        named = msgspec.structs.replace(target, id=new_id(self.random), state=State.INACTIVE)
        refuse_first(problems_of(named, self.allowed))
        return await self.commit(Entry(SCIM_TARGETS, None, with_token(named, token, self.sealer)), actor=actor)


@dataclass(frozen=True, slots=True)
class UpdateScimTarget(Command):
    commit: Commit
    sealer: SecretSealer
    allowed: OutboundAllowed

    async def __call__(self, before: ScimTarget, after: ScimTarget, token: str, *, actor: str) -> ScimTarget:
        """Without a token the stored one stays, but it is never sent to another address: that would reveal it."""
        refuse_first(problems_of(after, self.allowed))
        if token:
            after = with_token(after, token, self.sealer)
        elif after.base != before.base:
            raise at("tokenSecret", TOKEN_OF_OTHER_URL.error())
        return await self.commit.change(Entry(SCIM_TARGETS, before, after), actor=actor)

    async def activate(self, before: ScimTarget, *, actor: str) -> ScimTarget:
        """A comparison follows, by the event."""
        after = msgspec.structs.replace(reactivated(before), failure="")
        return await self.commit(Entry(SCIM_TARGETS, before, after), actor=actor)

    async def deactivate(self, before: ScimTarget, *, actor: str) -> ScimTarget:
        """Nothing is sent any longer, not even that a user left."""
        return await self.commit(Entry(SCIM_TARGETS, before, deactivated(before)), actor=actor)


@dataclass(frozen=True, slots=True)
class RemoveScimTarget(Command):
    """Removes a target with its token; the accounts there stay as they are."""

    commit: Commit

    async def __call__(self, before: ScimTarget, *, actor: str) -> ScimTarget:
        return await self.commit(remove_target(before), actor=actor)


@dataclass(frozen=True, slots=True)
class RunScimTarget(Command):
    """Starts a run, which the queue of the target processes; the target shows what it found."""

    runs: TargetRuns
    queues: TargetQueues

    async def __call__(self, target: ScimTarget, kind: RunKind) -> None:
        if kind is RunKind.COMPARISON and target.state is not State.ACTIVE:
            raise TARGET_INACTIVE.error()
        await self.runs.request(target.id, kind)
        await self.queues.wake((target.id,))
