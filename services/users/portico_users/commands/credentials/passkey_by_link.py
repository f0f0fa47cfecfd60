"""Registers a passkey with the code of a registration link, on our own page, without a sign-in.

The code of the link is verified with both requests; each guess is counted, and the passkey uses the link up.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from portico_contracts.users import BeginPasskeyByLink, FinishPasskeyByLink, PasskeyBegun, PasskeyRegistered

from portico_users.commands.command import Command
from portico_users.commands.credentials.webauthn import (
    CredentialRequest,
    NewCredential,
    RegisterCredential,
    VerifyCredential,
)
from portico_users.credentials.webauthn.ceremonies import Use
from portico_users.credentials.webauthn.registration_links import INVALID_LINK, Link, PasskeyLinks
from portico_users.directory.accounts.account import login_name
from portico_users.directory.accounts.queries import AccountQueries
from portico_users.directory.organizations.org import Org
from portico_users.directory.people.human import Human


@dataclass(frozen=True, slots=True)
class PasskeyByLink(Command):
    """Replies to `BEGIN_PASSKEY_BY_LINK` and `FINISH_PASSKEY_BY_LINK`."""

    accounts: AccountQueries
    links: PasskeyLinks
    register: RegisterCredential
    verify: VerifyCredential

    async def begin(self, ask: BeginPasskeyByLink) -> PasskeyBegun:
        """Begins the registration. Nothing of the user changes, and the link stays valid.

        Raises:
            ServiceError: USER-541 for every other code and for an inactive user, USER-504, `unavailable`.
        """
        human, org = await self._load(ask)
        requested = CredentialRequest(Use.PASSKEY, begun_by=human.id, link=ask.code_id)
        begun = await self.register(human, login_name(human, org), requested)
        return PasskeyBegun(passkey_id=begun.id, options=json.dumps(begun.options, separators=(",", ":")))

    async def finish(self, ask: FinishPasskeyByLink) -> PasskeyRegistered:
        """Finishes it, and uses the link up.

        Raises:
            ServiceError: USER-541 as before, USER-501 for a registration that was not begun with this link, USER-502 to 504,
                `unavailable`.
        """
        human, _ = await self._load(ask)
        new = NewCredential(ask.passkey_id, read_credential(ask.credential), only_passkey=True)
        await self.verify(human, Use.PASSKEY, new, actor=human.id, link=ask.code_id)
        return PasskeyRegistered()

    async def _load(self, ask: BeginPasskeyByLink | FinishPasskeyByLink) -> tuple[Human, Org]:
        found = await self.accounts.find_person(ask.user_id)
        if found is None or not await self.links.is_right(found[0], Link(ask.code_id, ask.code)):
            raise INVALID_LINK.error()
        return found


def read_credential(text: str) -> dict[str, Any]:
    """The credential a browser created; empty for any other text, which uses the registration up and is then refused."""
    try:
        credential = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return credential if isinstance(credential, dict) else {}
