"""Stores and removes the logos of an organization or of the instance."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.commands.command import Command, Commit
from portico_users.commands.policies.change_settings import ChangeSettings, Holder
from portico_users.directory.logos.images import LogoImages
from portico_users.directory.logos.store import MongoLogos, attachment_of, name_of
from portico_users.directory.policies.logos import Logos, Theme
from portico_users.kernel.problems import below
from portico_users.kernel.records import Record
from portico_users.kernel.states import refuse_unchanged

LOGO_NOT_FOUND = ErrorCode("USER-904", Kind.NOT_FOUND, "Logo not found.", "Use a theme for which a logo was uploaded.")


@dataclass(frozen=True, slots=True)
class SetLogo(Command):
    """Stores a logo, which replaces the one of the same theme."""

    change: ChangeSettings
    commit: Commit
    images: LogoImages

    async def __call__(self, holder: Holder, theme: Theme, content: bytes, *, actor: str) -> Record:
        """The holder as it was changed.

        Raises:
            ServiceError: USER-903 for what is no image that can be shown, USER-905; USER-702 for the logo it has already.
        """
        with below("logo"):
            image = await self.images.renew(content)
        after = _with(holder, theme, name_of(image))
        refuse_unchanged(holder, after)
        entry = dataclasses.replace(
            self.change.plan(holder, after), attachments=(attachment_of(holder.id, theme.value, image),)
        )
        changed: Record = await self.commit(entry, actor=actor)
        return changed


@dataclass(frozen=True, slots=True)
class RemoveLogo(Command):
    """Removes a logo, so that the instance's is shown where no other is left."""

    change: ChangeSettings
    commit: Commit
    logos: MongoLogos

    async def __call__(self, holder: Holder, theme: Theme, *, actor: str) -> Record:
        """The holder as it was changed; USER-904 where it has no such logo."""
        if not getattr(holder.policies.logos or Logos(), theme.value):
            raise LOGO_NOT_FOUND.error(theme=theme.value)
        planned = self.change.plan(holder, _with(holder, theme, ""))
        entry = dataclasses.replace(planned, side_writes=(self.logos.deletion(holder.id, theme.value),))
        changed: Record = await self.commit(entry, actor=actor)
        return changed


def _with(holder: Holder, theme: Theme, name: str) -> Any:
    """The holder with the name of a logo; without any, it has those of the instance."""
    logos = msgspec.structs.replace(holder.policies.logos or Logos(), **{theme.value: name})
    policies = msgspec.structs.replace(holder.policies, logos=None if logos == Logos() else logos)
    return msgspec.structs.replace(holder, policies=policies)
