"""Sets how long tokens live in the whole instance."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.commands.command import Command
from portico_users.commands.policies.change_settings import ChangeSettings
from portico_users.directory.instance.instance import Instance
from portico_users.directory.policies.token_lifetimes import LongestLifetimes, TokenLifetimes, problems_of
from portico_users.kernel.problems import refuse_first
from portico_users.kernel.records import Record

SETTINGS_THERE = ErrorCode(
    "USER-932", Kind.ALREADY_EXISTS, "The token lifetimes are already set.", "Update them instead."
)


@dataclass(frozen=True, slots=True)
class SetTokenLifetimes(Command):
    """Replaces the lifetimes of tokens."""

    change: ChangeSettings
    longest: LongestLifetimes

    def applied(self, before: Instance, wanted: TokenLifetimes) -> Instance:
        """The instance with the lifetimes, for a door that changes more of it.

        Raises:
            ServiceError: USER-930 for more than the settings of the operator allow, USER-931 for less than a minute.
        """
        refuse_first(problems_of(wanted, self.longest), "")
        return msgspec.structs.replace(before, token_lifetimes=wanted)

    async def __call__(self, before: Instance, wanted: TokenLifetimes, *, actor: str) -> Record:
        """The instance as it was changed. Raises as `applied`; USER-702 when nothing would change."""
        return await self.change(before, self.applied(before, wanted), actor=actor)

    async def add(self, before: Instance, wanted: TokenLifetimes, *, actor: str) -> Record:
        """As the call; USER-932 for lifetimes that are set already."""
        if before.token_lifetimes is not None:
            raise SETTINGS_THERE.error()
        return await self(before, wanted, actor=actor)
