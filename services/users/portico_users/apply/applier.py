"""Answers `APPLY`: plans, then commits object by object."""

from __future__ import annotations

import dataclasses

import msgspec
from portico_contracts.users import Applied, Apply, Change
from portico_oauth.errors import Refusal

from portico_users.apply.finding import Stored
from portico_users.apply.planner import plan
from portico_users.apply.step import Step
from portico_users.credentials.hashing import HashingPool
from portico_users.credentials.passwords import password_attachment
from portico_users.domain.problems import at
from portico_users.journal.journal import Journal


@dataclasses.dataclass(frozen=True, slots=True)
class Applier:
    """Brings the stored state to what a document says."""

    stored: Stored
    journal: Journal
    pool: HashingPool

    async def apply(self, message: Apply) -> Applied:
        """What was done to every object, or would be.

        Raises:
            Refusal: naming the place in the document. From planning, nothing was written; from a commit, all
                objects before it are in place, and a repetition goes on from there.
        """
        steps = await plan(self.stored, message.document)
        if message.check:
            return Applied(changes=tuple(_without_secret(step.change) for step in steps))
        for step in steps:
            if step.entries:
                await self._commit(step)
        return Applied(changes=tuple(step.change for step in steps))

    async def _commit(self, step: Step) -> None:
        try:
            entries = step.entries
            if step.password:
                async with self.pool.place() as argon2:
                    attachment = password_attachment(step.change.id, await argon2.hash(step.password))
                created = dataclasses.replace(entries[0], attachments=(attachment,), attached=("password",))
                entries = (created, *entries[1:])
            await self.journal.commit(entries)
        except Refusal as refusal:
            raise at(step.path, refusal) from None


def _without_secret(change: Change) -> Change:
    return msgspec.structs.replace(change, generated_secret="")
