from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from portico_contracts.users import Applied, Apply, Change, Failure
from portico_oauth.errors import ErrorCode, Kind, ServiceError

from portico_users.credentials.passwords.hash_counts import password_attachment
from portico_users.credentials.passwords.setting import PasswordSetting
from portico_users.credentials.revocations import Revocations
from portico_users.documents.cascades import Losses
from portico_users.documents.locked_out import LockedOut
from portico_users.documents.planner import Planner
from portico_users.documents.step import CREATED, REMOVED, Step
from portico_users.journal.command import Commit
from portico_users.journal.expected_version import VERSION_MOVED
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


AT_ONCE: Final = 64
"""New users written concurrently: they share transactions without delaying sign-ins for long."""


@dataclasses.dataclass(frozen=True, slots=True)
class Applier:
    planner: Planner
    losses: Losses
    locked_out: LockedOut
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
        async with self.commit.outlasted():
            return await self._apply(message)

    async def _apply(self, message: Apply) -> Applied:
        ends = asyncio.get_running_loop().time() + self.seconds
        steps = await self.planner.plan(message)
        if message.sequences:
            _require_sequences(message, steps)
        if message.check:
            return Applied(changes=tuple([await self._checked(step, steps, prune=message.prune) for step in steps]))
        _require_agreement(message, steps)
        done: list[Change] = []
        has_written = False
        for together in _committed_together(steps):
            if has_written and together[0].entries and asyncio.get_running_loop().time() >= ends:
                return Applied(changes=tuple(done), failure=_failure(together[0], OUT_OF_TIME.error()))
            problems = await asyncio.gather(*(self._problem_of(step) for step in together))
            done += [step.change for step, problem in zip(together, problems, strict=True) if problem is None]
            if failure := next(filter(None, problems), None):
                return Applied(changes=tuple(done), failure=failure)
            has_written = has_written or bool(together[0].entries)
        return Applied(changes=tuple(done))

    async def _checked(self, step: Step, steps: Sequence[Step], *, prune: bool) -> Change:
        """The change with what is lost by it: users lose their way to sign in also where nothing is deleted."""
        along = await self.locked_out.along_of(step, steps)
        if prune:
            along += await self.losses.along_of(step)
        return msgspec.structs.replace(step.change, generated_secret="", along=along)

    async def _problem_of(self, step: Step) -> Failure | None:
        """Commits a step."""
        try:
            await self._commit(step)
        except ServiceError as error:
            return _failure(step, error)
        return None

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


def _failure(step: Step, error: ServiceError) -> Failure:
    placed = at(step.path, error)
    return Failure(kind=placed.kind.value, id=placed.id, text=placed.text)


def _committed_together(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Yields the steps in their order. Consecutive new users are one item, because they depend only on earlier steps."""
    together: list[Step] = []
    for step in steps:
        if together and not (len(together) < AT_ONCE and _is_new_user(step) and _is_new_user(together[-1])):
            yield together
            together = []
        together.append(step)
    if together:
        yield together


def _is_new_user(step: Step) -> bool:
    """Passwords are hashed one after the other: sign-ins compete for the same capacity."""
    is_alone = len(step.entries) == 1 and not step.password
    return is_alone and step.change.kind == "human" and step.change.action == CREATED


def _require_sequences(message: Apply, steps: list[Step]) -> None:
    """The journal replaces an object only in the version of its entry, so it stays this one until the commit."""
    for step in steps:
        for entry in step.entries:
            sequence = message.sequences.get(entry.after.id)
            if sequence is not None and (entry.before is None or entry.before.sequence != sequence):
                raise at(step.path, VERSION_MOVED.error(id=entry.after.id))


def _require_agreement(message: Apply, steps: list[Step]) -> None:
    for step in steps:
        if step.change.action == REMOVED and step.change.id not in message.may_remove:
            raise at(step.path, NOT_AGREED.error(id=step.change.id))
