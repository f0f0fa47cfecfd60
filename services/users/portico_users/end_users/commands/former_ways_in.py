"""Removes what was added to an account since the session of a disputed change began (decisions 0058 and 0116)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec

from portico_users.credentials.recovery_codes import RECOVERY_CODES
from portico_users.credentials.totp.authenticators import secret_claim
from portico_users.credentials.webauthn.stored_credentials import credential_claim
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.credential_changes import RECOVERY_HASHES, RECOVERY_USED
from portico_users.end_users.end_user import EndUser
from portico_users.end_users.idp_links import IdpLink
from portico_users.end_users.usable_links import EndLinks
from portico_users.journal.command import Command
from portico_users.journal.event_log import EventLog
from portico_users.storage.entry import Claim, Entry


@dataclass(frozen=True, slots=True)
class FormerWaysIn(Command):
    events: EventLog
    end_links: EndLinks

    async def plan(self, human: EndUser, after: EndUser, event_id: str, since: float) -> Entry[EndUser]:
        """Removes from ``after`` what the user got since then, or by the event or later.

        That is every passkey, second factor, set of recovery codes and linked identity, with what these gave. What
        an attacker removed is not restored. Without ``since`` (0) the event counts alone; without ``event_id`` (codes of
        old releases) nothing is removed.
        """
        if not event_id:
            return put_end_user(human, after)
        first = await self.events.first_since(event_id, since) if since else event_id
        after = await self._without_keys_and_links(after, first)
        removed = {key.id for key in human.security_keys} - {key.id for key in after.security_keys}
        claims = [credential_claim(id) for id in sorted(removed)]
        attached: list[str] = []
        if after.has_totp and await self.events.changed_from(first, {"values.hasTotp": True}):
            after = msgspec.structs.replace(after, has_totp=False)
            claims.append(secret_claim(human.id))
            attached.append("totpSecret")
        if after.recovery_codes and await self.events.changed_from(first, _NEW_CODES):
            after = msgspec.structs.replace(after, recovery_codes=0)
            claims.append(Claim(RECOVERY_CODES, human.id))
            attached.append(RECOVERY_HASHES)
        entry = put_end_user(human, await self._without_sent_codes(after, first))
        return replace(entry, claims=tuple(claims), attached=tuple(attached))

    async def _without_keys_and_links(self, human: EndUser, first: str) -> EndUser:
        known = {key["id"] for key in await self.events.value_before(first, "securityKeys") or []}
        links = await self.events.value_before(first, "idpLinks") or []
        linked = {msgspec.convert(link, IdpLink).key for link in links}
        keys = tuple(key for key in human.security_keys if key.id in known)
        human = msgspec.structs.replace(human, security_keys=keys)
        return await self.end_links.plan(human, {link.key for link in human.idp_links} - linked)

    async def _without_sent_codes(self, human: EndUser, first: str) -> EndUser:
        """Codes that go to a phone number of the attacker are a factor of the attacker too."""
        had_email = bool(await self.events.value_before(first, "hasOtpEmail"))
        had_sms = bool(await self.events.value_before(first, "hasOtpSms"))
        same = not await self.events.changed_from(first, {"fields": "phone"})
        return msgspec.structs.replace(
            human,
            has_otp_email=human.has_otp_email and had_email,
            has_otp_sms=human.has_otp_sms and had_sms and same,
        )


_NEW_CODES = {"$and": [{"fields": RECOVERY_HASHES}, {"fields": {"$ne": RECOVERY_USED}}]}
"""Matches the event of generated codes; the use of a code changes their hashes too."""
