"""A passkey instead of a first password: the code of an invitation registers one, and is used up by it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Final

from portico_contracts.users import (
    BeginPasskeyByInvitation,
    Factor,
    FinishPasskeyByInvitation,
    GetLoginPolicy,
    GetUser,
    InvitationAccepted,
    PasskeyBegun,
)
from portico_oauth.errors import ServiceError

from portico_users.accounts.account import readable_login_name
from portico_users.accounts.queries import AccountQueries
from portico_users.applications.start_pages import StartPages
from portico_users.credentials.enrolling import NOT_ACCEPTED
from portico_users.credentials.passkey_links import read_credential
from portico_users.credentials.webauthn.ceremonies import Use
from portico_users.credentials.webauthn.edit_passkeys import (
    KEY_TAKEN,
    CredentialRequest,
    NewCredential,
    RegisterCredential,
    VerifyCredential,
)
from portico_users.end_users.codes.challenge import Challenge, Subject
from portico_users.end_users.codes.challenges import claim_of
from portico_users.end_users.codes.user_codes import WRONG_INVITE, UserCodes
from portico_users.end_users.email_address import with_proof
from portico_users.end_users.end_user import EndUser
from portico_users.journal.command import Command, Commit
from portico_users.organizations.org import Org
from portico_users.policies.login_policies import LoginPolicies
from portico_users.storage.entry import Entry
from portico_users.values.problems import ALREADY_USED, NAME_TAKEN

_RACES: Final = {NAME_TAKEN.id: KEY_TAKEN, ALREADY_USED.id: WRONG_INVITE}


@dataclass(frozen=True, slots=True)
class InvitedPasskeys(Command):
    """Both requests verify the code of the invitation, and each counts as a guess at it (LG-07)."""

    accounts: AccountQueries
    policies: LoginPolicies
    codes: UserCodes
    start_pages: StartPages
    register: RegisterCredential
    verify: VerifyCredential
    commit: Commit

    async def begin(self, ask: BeginPasskeyByInvitation) -> PasskeyBegun:
        """Starts the registration; changes neither the user nor the invitation."""
        human, org, challenge = await self._load(ask.user_id, ask.code)
        requested = CredentialRequest(Use.PASSKEY, begun_by=challenge.id)
        begun = await self.register(human, readable_login_name(human, org), requested)
        return PasskeyBegun(passkey_id=begun.id, options=json.dumps(begun.options, separators=(",", ":")))

    async def finish(self, ask: FinishPasskeyByInvitation) -> InvitationAccepted:
        human, org, challenge = await self._load(ask.user_id, ask.code)
        start = await self.start_pages.find_address(challenge.purpose.app_id, org.id)
        new = NewCredential(ask.passkey_id, read_credential(ask.credential), only_passkey=True)
        entry = await self.verify.plan(human, Use.PASSKEY, new, begun_by=challenge.id)
        try:
            await self.commit(self._accepted(entry, challenge), actor=human.id)
        except ServiceError as error:
            raise (_RACES[error.id].error() if error.id in _RACES else error) from None
        user = (await self.accounts.get_user(GetUser(user_id=human.id))).user
        bound = await self.verify.keys.are_device_bound(human.id)
        return InvitationAccepted(start=start, user=user, device_bound=bound)

    def _accepted(self, entry: Entry[EndUser], challenge: Challenge) -> Entry[EndUser]:
        # A code that was returned to an administrator proves no address.
        after = with_proof(entry.after, emailed=True) if challenge.purpose.to else entry.after
        return replace(
            entry,
            after=after,
            claims=(*entry.claims, claim_of(challenge)),
            side_writes=(*entry.side_writes, self.codes.forget(after.id, Subject.PASSWORD)),
        )

    async def _load(self, user_id: str, code: str) -> tuple[EndUser, Org, Challenge]:
        found = await self.accounts.find_end_user(user_id)
        if found is None:
            raise WRONG_INVITE.error(cause="no such user")
        human, org = found
        challenge = await self.codes.guess(human, Subject.INVITE, code)
        policy = await self.policies.get_login_policy(GetLoginPolicy(org_id=org.id))
        if Factor.PASSKEY not in policy.factors:
            raise NOT_ACCEPTED.error(factor=Factor.PASSKEY.value)
        return human, org, challenge
