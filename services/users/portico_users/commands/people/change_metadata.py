"""Sets and removes metadata of a human."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portico_oauth.errors import ErrorCode, Kind

from portico_users.commands.command import Command
from portico_users.commands.people.change_human import ChangeHuman, HumanChange
from portico_users.commands.people.new_human import MetadataValues, refuse_repeated_keys
from portico_users.directory.people.human import Human, with_metadata
from portico_users.kernel.problems import at

METADATA_NOT_FOUND = ErrorCode("USER-408", Kind.NOT_FOUND, "There is no metadata under this key.", "List the metadata.")


@dataclass(frozen=True, slots=True)
class SetMetadata(Command):
    """Sets entries; others stay."""

    change_human: ChangeHuman

    async def __call__(self, human: Human, values: MetadataValues, *, actor: str) -> Human:
        """The human with the entries; USER-317 for a repeated key, USER-007 for an entry or a total that is too large."""
        refuse_repeated_keys(key for key, _ in values)
        change = HumanChange(metadata=with_metadata(human.metadata, dict(values)))
        return (await self.change_human(human, change, actor=actor)).human


@dataclass(frozen=True, slots=True)
class RemoveMetadata(Command):
    """Removes entries, or none."""

    change_human: ChangeHuman

    async def __call__(self, human: Human, keys: Sequence[str], *, actor: str) -> Human:
        """The human without the entries; USER-408 when one of them does not exist."""
        stored = {entry.key for entry in human.metadata}
        for number, key in enumerate(keys):
            if key not in stored:
                raise at(f"keys[{number}]", METADATA_NOT_FOUND.error())
        others = tuple(entry for entry in human.metadata if entry.key not in frozenset(keys))
        return (await self.change_human(human, HumanChange(metadata=others), actor=actor)).human
