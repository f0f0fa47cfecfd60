from __future__ import annotations

import asyncio
import dataclasses

import msgspec
from portico_contracts.users import Applied, Apply, Change, Failure
from portico_oauth.errors import ErrorCode, Kind, ServiceError

from portico_users.credentials.passwords.hash_counts import password_attachment
from portico_users.credentials.passwords.setting import PasswordSetting
from portico_users.credentials.revocations import Revocations
from portico_users.documents.cascades import Losses
from portico_users.documents.planner import Planner
from portico_users.documents.step import REMOVED, Step
from portico_users.journal.command import Commit
from portico_users.values.problems import at

NOT_AGREED = ErrorCode(
    "USER-837",
    Kind.FAILED_PRECONDITION,
    "Applying the document would delete objects that were not confirmed.",
    "Show the plan again and confirm it. The stored data has changed.",
)
OUT_OF_TIME = ErrorCode(
    "USER-843", Kind.UNAVAILABLE, "The time for one run is over.", "Run the command again. It continues."
)


@dataclasses.dataclass(frozen=True, slots=True)
class Applier:
    planner: Planner
    losses: Losses
    revocations: Revocations
    commit: Commit
    passwords: PasswordSetting
    seconds: float = 45.0
    """After which a run begins no further object: its changes, secrets included, arrive before the caller gives up."""

    async def apply(self, message: Apply) -> Applied:
        """Returns the changes of every object; plan and apply share the computation.

        If an object cannot be written, the response lists the changes until then, secrets included, with the
        error; a repetition continues from there.
        """
        ends = asyncio.get_running_loop().time() + self.seconds
        steps = await self.planner.plan(message.document, prune=message.prune, id_seed=message.id_seed)
        if message.check:
            changes = [_without_secret(step.change) for step in steps]
            if message.prune:
                along = [await self.losses.along_of(step) for step in steps]
                changes = [msgspec.structs.replace(one, along=lost) for one, lost in zip(changes, along, strict=True)]
            return Applied(changes=tuple(changes))
        _require_agreement(message, steps)
        done: list[Change] = []
        has_written = False
        for step in steps:
            try:
                if has_written and step.entries and asyncio.get_running_loop().time() >= ends:
                    raise OUT_OF_TIME.error()
                await self._commit(step)
            except ServiceError as error:
                placed = at(step.path, error)
                failure = Failure(kind=placed.kind.value, id=placed.id, text=placed.text)
                return Applied(changes=tuple(done), failure=failure)
            done.append(step.change)
            has_written = has_written or bool(step.entries)
        return Applied(changes=tuple(done))

    async def _commit(self, step: Step) -> None:
        entries = step.entries
        if not entries:
            return
        if step.password:
            async with self.passwords.pool.place() as hashing:
                attachment = password_attachment(step.change.id, await hashing.hash(step.password))
            created = dataclasses.replace(entries[0], attachments=(attachment,), attached=("password",))
            entries = (created, *entries[1:])
        await self.commit.all(entries)
        if step.ends_grants:
            await self.revocations.complete(step.ends_grants)
        if step.resets_attempts_of:
            await self.passwords.reset_lockout(step.resets_attempts_of)
        for follow in step.afterwards:
            await follow()


def _require_agreement(message: Apply, steps: list[Step]) -> None:
    for step in steps:
        if step.change.action == REMOVED and step.change.id not in message.may_remove:
            raise at(step.path, NOT_AGREED.error(id=step.change.id))


def _without_secret(change: Change) -> Change:
    return msgspec.structs.replace(change, generated_secret="")
