"""WebAuthn at sign-in: a challenge and its only assertion. The order of the numbered steps matters."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final, NamedTuple

import msgspec
import structlog
from portico_contracts.users import AssertionBegun, AssertionFinished, BeginAssertion, Factor, FinishAssertion
from portico_oauth.opaque import equal_in_constant_time
from portico_runtime.process.clock import Clock
from webauthn.authentication.verify_authentication_response import verify_authentication_response
from webauthn.helpers import base64url_to_bytes
from webauthn.helpers.structs import CredentialDeviceType

from portico_users.accounts.account import as_user
from portico_users.accounts.store import MongoAccounts
from portico_users.credentials.attempts.attempts import Attempts, of_user
from portico_users.credentials.webauthn.ceremonies import Ceremonies, Ceremony, CeremonyRequest, Use
from portico_users.credentials.webauthn.new_credential import (
    MAX_CLIENT_DATA,
    MAX_CREDENTIAL_ID,
    NotFitting,
    read_base64url,
    require_own_page,
    response_in,
)
from portico_users.credentials.webauthn.options import RelyingParty, request_options, user_handle
from portico_users.credentials.webauthn.stored_credentials import KeyUse, WebAuthnCredential, WebAuthnCredentials
from portico_users.values.names import MAX_LENGTH

log = structlog.get_logger("portico.keys")

MAX_DATA: Final = 4_096
MAX_SIGNATURE: Final = 1_024
"""Bytes."""


class Checked(NamedTuple):
    sign_count: int
    user_verified: bool
    backup_eligible: bool
    backed_up: bool


def id_in(credential: object) -> str:
    raw_id = credential.get("rawId") if isinstance(credential, dict) else None
    return raw_id if isinstance(raw_id, str) and len(raw_id) <= 2 * MAX_CREDENTIAL_ID else ""


def check_assertion(
    credential: dict[str, object], ceremony: Ceremony, key: WebAuthnCredential, origins: list[str]
) -> Checked | None:
    try:
        return _check(credential, ceremony, key, origins)
    except Exception as error:  # libraries meet a stranger's bytes: whatever they stumble over is his
        log.info("assertion refused", key=key.id, cause=f"{type(error).__name__}: {error}"[:200])
        return None


def _check(credential: dict[str, object], ceremony: Ceremony, key: WebAuthnCredential, origins: list[str]) -> Checked:
    response = response_in(credential)
    require_own_page(read_base64url(response["clientDataJSON"], MAX_CLIENT_DATA))
    read_base64url(response["authenticatorData"], MAX_DATA)
    read_base64url(response["signature"], MAX_SIGNATURE)
    _require_owner(response.get("userHandle"), ceremony, key)
    if key.rp_id != ceremony.rp_id:
        raise NotFitting("a key for another relying party")
    verified = verify_authentication_response(
        credential=credential,
        expected_challenge=base64url_to_bytes(ceremony.challenge),
        expected_rp_id=ceremony.rp_id,
        expected_origin=origins,
        credential_public_key=base64url_to_bytes(key.public_key),
        # The counter is checked below: a right signature with a wrong counter gives a warning.
        credential_current_sign_count=0,
        require_user_verification=ceremony.user_verified,
    )
    counts = key.sign_count > 0 or verified.new_sign_count > 0
    if counts and verified.new_sign_count <= key.sign_count:
        log.warning(
            "webauthn signature counter decreased, the credential may be cloned", key=key.id, user_id=key.user_id
        )
        raise NotFitting("the count did not grow")
    eligible = verified.credential_device_type is CredentialDeviceType.MULTI_DEVICE
    if eligible is not _was_eligible(key, eligible):
        raise NotFitting("the key may be backed up now, or no longer")
    return Checked(verified.new_sign_count, verified.user_verified, eligible, verified.credential_backed_up)


def _was_eligible(key: WebAuthnCredential, now: bool) -> bool:
    """Keys of earlier releases are known to be eligible if they were backed up; otherwise the first use decides."""
    if key.backup_eligible is not None:
        return key.backup_eligible
    return key.backed_up or now


def _require_owner(handle: object, ceremony: Ceremony, key: WebAuthnCredential) -> None:
    """Step 6: the credential belongs to the user of the sign-in, and its user handle identifies that user."""
    if ceremony.user_id and ceremony.user_id != key.user_id:
        raise NotFitting("a key of another user")
    if not handle and ceremony.user_id:
        return  # second factors need not know their user
    if not equal_in_constant_time(read_base64url(handle, MAX_CREDENTIAL_ID).hex(), user_handle(key.user_id).hex()):
        raise NotFitting("the key says it is another user's")


FACTOR = "key"
MAX_ANSWER = 65_536
"""Characters of an assertion; typical ones have one or two thousand."""


@dataclass(frozen=True, slots=True)
class WebAuthnSignIn:
    accounts: MongoAccounts
    ceremonies: Ceremonies
    keys: WebAuthnCredentials
    attempts: Attempts
    relying_party: RelyingParty
    clock: Clock

    async def begin_assertion(self, ask: BeginAssertion) -> AssertionBegun:
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
        # 1. Use up the challenge, whatever the result (LG-19).
        user_id = ask.user_id[: MAX_LENGTH + 1]
        ceremony = await self.ceremonies.consume(Use.SIGN_IN, ask.assertion[: MAX_LENGTH + 1], user_id, user_id)
        if ceremony is None:
            return AssertionFinished()
        # 2. Find the credential. Count an attempt of its owner before verifying (LG-07).
        credential = _read(ask.credential)
        key = await self.keys.find(id_in(credential))
        owner = ceremony.user_id or (key.user_id if key else "")
        if owner:
            await self.attempts.reserve(of_user(owner, FACTOR))
        if key is None or (ceremony.user_verified and not key.passkey):
            return AssertionFinished()
        # 3. Perform all steps of a relying party (LG-20); of two assertions with the same counter only one is
        # accepted.
        return await self._finish(credential, ceremony, key)

    async def _finish(
        self, credential: dict[str, object], ceremony: Ceremony, key: WebAuthnCredential
    ) -> AssertionFinished:
        checked = check_assertion(credential, ceremony, key, self.relying_party.origins)
        if checked is None or not await self.keys.count_on(key, self._use(checked)):
            return AssertionFinished()
        # 4. Only active accounts sign in; a valid assertion ends the back-off.
        account = await self.accounts.find_active(key.user_id)
        if account is None:
            return AssertionFinished()
        await self.attempts.reset(of_user(key.user_id, FACTOR))
        return AssertionFinished(
            user=as_user(account),
            user_verified=checked.user_verified,
            kind=_kind(key),
            device_bound=not checked.backup_eligible,
        )

    def _use(self, checked: Checked) -> KeyUse:
        return KeyUse(
            sign_count=checked.sign_count,
            backed_up=checked.backed_up,
            backup_eligible=checked.backup_eligible,
            used=self.clock.now(),
        )

    async def _keys_of(self, user_id: str) -> list[WebAuthnCredential]:
        return await self.keys.list_of_user(user_id) if user_id else []

    def _rp_id(self, keys: list[WebAuthnCredential]) -> str:
        """Returns the id of new passkeys, or the one of the user's keys if none has that."""
        ids = [key.rp_id for key in keys]
        return ids[0] if ids and self.relying_party.id not in ids else self.relying_party.id


def _kind(key: WebAuthnCredential) -> Factor:
    return Factor.PASSKEY if key.passkey else Factor.U2F


def _read(text: str) -> dict[str, object]:
    try:
        members = msgspec.json.decode(text[: MAX_ANSWER + 1]) if len(text) <= MAX_ANSWER else {}
    except (msgspec.DecodeError, RecursionError):
        return {}
    return members if isinstance(members, dict) else {}
