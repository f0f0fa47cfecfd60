"""What an account could be signed in to with before a change that its owner denies."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from portico_users.commands.command import Assembled
from portico_users.directory.people.human import Human
from portico_users.directory.people.idp_links import IdpLink
from portico_users.kernel.event_log import EventLog


@dataclass(frozen=True, slots=True)
class FormerWaysIn(Assembled):
    """Reads them in the event log."""

    events: EventLog

    async def restored(self, human: Human, event_id: str) -> Human:
        """The human without the passkeys and the linked identities that came with an event of it, or later.

        Args:
            event_id: empty in a code of an older release: then the human as it is.

        Raises:
            ServiceError: `unavailable` when the database cannot be asked.
        """
        if not event_id:
            return human
        keys = await self.events.value_before(event_id, "securityKeys") or []
        links = await self.events.value_before(event_id, "idpLinks") or []
        known = {key["id"] for key in keys}
        linked = {msgspec.convert(link, IdpLink).key for link in links}
        return msgspec.structs.replace(
            human,
            security_keys=tuple(key for key in human.security_keys if not key.passkey or key.id in known),
            idp_links=tuple(link for link in human.idp_links if link.key in linked),
        )
