"""Sets where intents may lead (decision 0051)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from portico_users.commands.command import Command
from portico_users.commands.policies.change_settings import ChangeSettings
from portico_users.directory.instance.instance import Instance
from portico_users.directory.instance.intent_urls import problems_of
from portico_users.kernel.problems import refuse_first
from portico_users.kernel.records import Record


@dataclass(frozen=True, slots=True)
class SetIntentUrls(Command):
    """Replaces the addresses that intents may lead to."""

    change: ChangeSettings

    def applied(self, before: Instance, wanted: Sequence[str], place: str) -> Instance:
        """The instance with the addresses, for a door that changes more of it; USER-984 for an invalid one.

        Args:
            place: of the list in the request.
        """
        refuse_first(problems_of(wanted, place), "")
        return msgspec.structs.replace(before, intent_urls=tuple(wanted))

    async def __call__(self, before: Instance, wanted: Sequence[str], *, actor: str) -> Record:
        """The instance as it was changed. Raises as `applied`; USER-702 when nothing would change."""
        return await self.change(before, self.applied(before, wanted, "urls"), actor=actor)
