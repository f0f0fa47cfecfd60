"""WebAuthn at sign-in: a challenge, and its one assertion. The order of the steps matters; see the numbers."""

from __future__ import annotations

import json
from dataclasses import dataclass

import msgspec
from portico_contracts.users import AssertionBegun, AssertionFinished, BeginAssertion, Factor, FinishAssertion
from portico_runtime.clock import Clock

from portico_users.credentials.attempts.attempts import Attempts, of_user
from portico_users.credentials.webauthn.assertion import check_assertion, id_in
from portico_users.credentials.webauthn.ceremonies import Ceremonies, Ceremony, CeremonyRequest, Use
from portico_users.credentials.webauthn.options import request_options
from portico_users.credentials.webauthn.relying_party import RelyingParty
from portico_users.credentials.webauthn.stored_credentials import WebAuthnCredential, WebAuthnCredentials
from portico_users.directory.accounts.account import active_account, as_user
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.kernel.names import MAX_LENGTH

FACTOR = "key"
MAX_ANSWER = 65_536
"""Characters of an assertion; real ones have one or two thousand."""


@dataclass(frozen=True, slots=True)
class WebAuthnSignIn:
    """Replies to `BEGIN_ASSERTION` and `FINISH_ASSERTION`."""

    accounts: MongoAccounts
    ceremonies: Ceremonies
    keys: WebAuthnCredentials
    attempts: Attempts
    relying_party: RelyingParty
    clock: Clock

    async def begin_assertion(self, ask: BeginAssertion) -> AssertionBegun:
        """A challenge; empty for a user without a fitting credential."""
        user_id = ask.user_id[: MAX_LENGTH + 1]
        kinds = (Factor.PASSKEY,) if ask.passkey else ask.kinds
        keys = [key for key in await self._keys_of(user_id) if _kind(key) in kinds]
        if user_id and not keys:
            return AssertionBegun()
        rp_id = self._rp_id(keys)
        verified = ask.passkey or not user_id
        ceremony = await self.ceremonies.begin(CeremonyRequest(Use.SIGN_IN, user_id, user_id, verified), rp_id)
        options = request_options(ceremony, [key for key in keys if key.rp_id == rp_id])
        return AssertionBegun(assertion=ceremony.id, options=json.dumps(options, separators=(",", ":")))

    async def finish_assertion(self, ask: FinishAssertion) -> AssertionFinished:
        """The user whose key answered; nothing for everything else; USER-033 when the caller must wait."""
        # 1. Whatever the outcome, this challenge is used up (LG-19).
        user_id = ask.user_id[: MAX_LENGTH + 1]
        ceremony = await self.ceremonies.consume(Use.SIGN_IN, ask.assertion[: MAX_LENGTH + 1], user_id, user_id)
        if ceremony is None:
            return AssertionFinished()
        # 2. Find the credential it names. Its owner's attempt is counted before the check (LG-07).
        credential = _read(ask.credential)
        key = await self.keys.find(id_in(credential))
        owner = ceremony.user_id or (key.user_id if key else "")
        if owner:
            await self.attempts.reserve(of_user(owner, FACTOR))
        if key is None or (ceremony.user_verified and not key.passkey):
            return AssertionFinished()
        # 3. Every step of a relying party (LG-20); of two assertions with one counter, one is accepted.
        return await self._finish(credential, ceremony, key)

    async def _finish(
        self, credential: dict[str, object], ceremony: Ceremony, key: WebAuthnCredential
    ) -> AssertionFinished:
        checked = check_assertion(credential, ceremony, key, self.relying_party.origin)
        if checked is None or not await self.keys.count_on(key, checked.sign_count, self.clock.now()):
            return AssertionFinished()
        # 4. Only an active account signs in, and a valid assertion ends the delay.
        found = await self.accounts.find_slim(key.user_id)
        account = active_account(*found) if found else None
        if account is None:
            return AssertionFinished()
        await self.attempts.reset(of_user(key.user_id, FACTOR))
        return AssertionFinished(user=as_user(account), user_verified=checked.user_verified, kind=_kind(key))

    async def _keys_of(self, user_id: str) -> list[WebAuthnCredential]:
        return await self.keys.list_of_user(user_id) if user_id else []

    def _rp_id(self, keys: list[WebAuthnCredential]) -> str:
        """The host of the issuer, unless all keys were made for a domain above it."""
        ids = [key.rp_id for key in keys]
        return ids[0] if ids and self.relying_party.host not in ids else self.relying_party.host


def _kind(key: WebAuthnCredential) -> Factor:
    return Factor.PASSKEY if key.passkey else Factor.U2F


def _read(text: str) -> dict[str, object]:
    """The assertion as JSON; empty for any other text."""
    try:
        members = msgspec.json.decode(text[: MAX_ANSWER + 1]) if len(text) <= MAX_ANSWER else {}
    except (msgspec.DecodeError, RecursionError):
        return {}
    return members if isinstance(members, dict) else {}
