"""Whether an emailed link would be accepted: its page states at once that it was used, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_contracts.users import CheckLink, LinkChecked, LinkKind

from portico_users.accounts.queries import AccountQueries
from portico_users.credentials.webauthn.registration_links import Link, PasskeyLinks
from portico_users.end_users.codes.challenge import Subject
from portico_users.end_users.codes.user_codes import UserCodes
from portico_users.journal.command import Command

_SUBJECTS: Final = {LinkKind.EMAIL: (Subject.EMAIL,), LinkKind.PASSWORD: (Subject.PASSWORD, Subject.INVITE)}


@dataclass(frozen=True, slots=True)
class CheckEmailedLink(Command):
    accounts: AccountQueries
    codes: UserCodes
    links: PasskeyLinks

    async def __call__(self, ask: CheckLink) -> LinkChecked:
        """Nothing is proven or used up. Wrong codes count as guesses, of which looks leave half (LG-07)."""
        found = await self.accounts.find_end_user(ask.user_id)
        if found is None:
            return LinkChecked(usable=False)
        if ask.kind is LinkKind.PASSKEY:
            return LinkChecked(usable=await self.links.is_usable(found[0], Link(ask.code_id, ask.code)))
        for subject in _SUBJECTS[ask.kind]:
            if await self.codes.is_usable(found[0], subject, ask.code):
                return LinkChecked(usable=True)
        return LinkChecked(usable=False)
