"""Enrols a user's first second factor at sign-in, where the policy requires one (decision 0046).

authz requests it after the first factor. An enrolment is opened by a code sent to the verified address. It
registers one factor with recovery codes in one transaction, once, and only for a user without a usable
factor.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

import msgspec
from portico_contracts.users import EnrolmentDemand, Factor, GetLoginPolicy, LoginPolicy
from portico_contracts.users.enrolment import (
    BeginEnrolledKey,
    BeginEnrolledTotp,
    BeginEnrolment,
    EnrolledCodes,
    EnrolledKeyBegun,
    EnrolledTotpBegun,
    EnrolmentBegun,
    EnrolmentCodeVerified,
    EnrolmentFinished,
    FinishEnrolment,
    GetEnrolledCodes,
    VerifyEnrolmentCode,
)
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.opaque import equal_in_constant_time, fingerprint
from portico_oauth.typed_text import code_letters
from portico_runtime.process.clock import Clock
from portico_web.languages import pick_language

from portico_users.accounts.account import Account, as_user, factors_of, readable_login_name
from portico_users.accounts.queries import AccountQueries
from portico_users.credentials.attempts.attempts import Attempts, of_address, of_user
from portico_users.credentials.attempts.backoff import EMAIL_BACKOFF
from portico_users.credentials.enrolments import FACTOR, EnrolmentRow, Enrolments
from portico_users.credentials.passkey_links import read_credential
from portico_users.credentials.recovery_codes import RECOVERY_CODES, RecoveryCodes, derived_codes, hashes_of
from portico_users.credentials.totp.authenticators import TotpAuthenticators
from portico_users.credentials.totp.edit_totp import CODE_WRONG, TOTP_NOT_FOUND, VerifyTotpRegistration
from portico_users.credentials.webauthn.ceremonies import Use
from portico_users.credentials.webauthn.edit_passkeys import (
    BEGUN_BY_ANOTHER,
    KEY_NOT_FOUND,
    KEY_TAKEN,
    CredentialRequest,
    NewCredential,
    RegisterCredential,
    VerifyCredential,
)
from portico_users.credentials.webauthn.new_credential import INVALID_CREDENTIAL
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.credential_changes import RECOVERY_HASHES
from portico_users.end_users.end_user import EndUser
from portico_users.journal.command import Command, Commit
from portico_users.notifications.email.message import EmailMessage, EmailTemplate
from portico_users.organizations.org import Org
from portico_users.policies.login_policies import LoginPolicies
from portico_users.storage.entry import Attachment, Entry
from portico_users.values.names import MAX_LENGTH, email_key
from portico_users.values.operator_settings import Issuer
from portico_users.values.problems import ALREADY_USED, CHANGED_MEANWHILE, NAME_TAKEN

ENROLMENT_OVER = ErrorCode(
    "USER-350",
    Kind.FAILED_PRECONDITION,
    "This registration of a second factor has ended, or its emailed code was not entered.",
    "Start a new registration.",
)
HAS_FACTOR = ErrorCode(
    "USER-351",
    Kind.FAILED_PRECONDITION,
    "The user already has a second factor.",
    "Ask for that factor. Another one is registered by the signed-in user or an administrator.",
)
MAY_NOT_ENROL = ErrorCode(
    "USER-352",
    Kind.FAILED_PRECONDITION,
    "This user cannot register a second factor at sign-in.",
    "Verify the email address and wait a day after it was changed, set a mail server, or register the factor for the user.",
)
NOT_ACCEPTED = ErrorCode(
    "USER-353",
    Kind.FAILED_PRECONDITION,
    "The user's organization does not accept this factor.",
    "Register a factor that the login policy allows.",
)

_USES: Final = {Factor.PASSKEY: Use.PASSKEY, Factor.U2F: Use.U2F}
_ENROLLED: Final = (Factor.PASSKEY, Factor.U2F, Factor.TOTP, Factor.OTP_EMAIL)

_WRONG: Final = (
    CODE_WRONG.id,
    KEY_NOT_FOUND.id,
    BEGUN_BY_ANOTHER.id,
    INVALID_CREDENTIAL.id,
    KEY_TAKEN.id,
    NAME_TAKEN.id,
)
"""Errors of the authenticator's response after which the user can try another authenticator."""

_OVERTAKEN: Final = (ALREADY_USED.id, CHANGED_MEANWHILE.id, TOTP_NOT_FOUND.id, HAS_FACTOR.id, ENROLMENT_OVER.id)
"""Errors caused by a concurrent change between read and write."""


@dataclass(frozen=True, slots=True)
class Enrolment(Command):
    accounts: AccountQueries
    policies: LoginPolicies
    enrolments: Enrolments
    attempts: Attempts
    totp: TotpAuthenticators
    verify_totp: VerifyTotpRegistration
    register_key: RegisterCredential
    verify_key: VerifyCredential
    codes: RecoveryCodes
    commit: Commit
    clock: Clock
    issuer: Issuer

    async def begin(self, ask: BeginEnrolment) -> EnrolmentBegun:
        human, org, policy = await self._load(ask.user_id)
        _require_none(human, policy)
        if policy.enrolment is EnrolmentDemand.NONE:
            raise MAY_NOT_ENROL.error(user=human.id)
        begun, address, message = self.enrolments.new(), "", None
        if policy.enrolment is EnrolmentDemand.EMAIL:
            # An address changed recently may be an attacker's: send no code until the owner had time to act (as for
            # passwords).
            if not human.email_verified or self.clock.now() < human.recovery_from or not self.enrolments.email_queue:
                raise MAY_NOT_ENROL.error(user=human.id)
            address = human.email
            if not ask.proved_address:
                await self.attempts.reserve(of_address(email_key(address)), EMAIL_BACKOFF)
                message = self._message(human, org, begun.code, ask.languages)
        await self.enrolments.store(human, begun, address, message)
        return EnrolmentBegun(enrolment=begun.name, mail=message.to if message else "")

    async def verify_code(self, ask: VerifyEnrolmentCode) -> EnrolmentCodeVerified:
        """Opens the enrolment with its code. Counts the guess for the account and for the code first (LG-07)."""
        user_id = ask.user_id[: MAX_LENGTH + 1]
        if await self.enrolments.find(user_id, ask.enrolment) is None:
            raise ENROLMENT_OVER.error()
        await self.attempts.reserve(of_user(user_id, FACTOR))
        row = await self.enrolments.guess(user_id, ask.enrolment, ask.code)
        found = await self.accounts.find_end_user(user_id) if row else None
        # A code becomes invalid when the address changes (HH-08).
        if row is None or found is None or found[0].email != row.mail or found[0].resets != row.resets:
            return EnrolmentCodeVerified()
        await self.enrolments.open(row.id)
        await self.attempts.reset(of_user(user_id, FACTOR))
        return EnrolmentCodeVerified(right=True)

    async def begin_totp(self, ask: BeginEnrolledTotp) -> EnrolledTotpBegun:
        """Returns the secret of the authenticator app; the same until the enrolment ends."""
        human, org, row = await self._load_open(ask.user_id, ask.enrolment, Factor.TOTP)
        begun = await self.totp.resume(human, readable_login_name(human, org), begun_by=row.id)
        return EnrolledTotpBegun(uri=begun.uri, secret=begun.secret)

    async def begin_key(self, ask: BeginEnrolledKey) -> EnrolledKeyBegun:
        """Starts the registration of a passkey or security key; only this enrolment can finish it."""
        human, org, row = await self._load_open(ask.user_id, ask.enrolment, ask.factor)
        use = _USES.get(ask.factor)
        if use is None:
            raise NOT_ACCEPTED.error(factor=ask.factor.value)
        begun = await self.register_key(human, readable_login_name(human, org), CredentialRequest(use, begun_by=row.id))
        return EnrolledKeyBegun(registration=begun.id, options=json.dumps(begun.options, separators=(",", ":")))

    async def finish(self, ask: FinishEnrolment) -> EnrolmentFinished:
        """Registers the factor and returns recovery codes; nothing for a wrong code or credential. Idempotent."""
        if repeated := await self._repeated(ask):
            return repeated
        try:
            return await self._register(ask)
        except ServiceError as error:
            if error.id not in (*_WRONG, *_OVERTAKEN):
                raise
            # A concurrent identical request may have succeeded.
            if repeated := await self._repeated(ask, settled=True):
                return repeated
            if error.id in _WRONG:
                return EnrolmentFinished()
        await self._load_open(ask.user_id, ask.enrolment, ask.factor)
        raise ENROLMENT_OVER.error(cause="changed meanwhile")

    async def list_codes(self, ask: GetEnrolledCodes) -> EnrolledCodes:
        row = await self.enrolments.find(ask.user_id, ask.enrolment)
        if row is None or not row.done:
            return EnrolledCodes()
        codes = derived_codes(ask.enrolment)
        hashes = await self.codes.list_hashes(row.user_id)
        return EnrolledCodes(codes=codes if hashes == hashes_of(row.user_id, codes) else ())

    async def _register(self, ask: FinishEnrolment) -> EnrolmentFinished:
        human, org, row = await self._load_open(ask.user_id, ask.enrolment, ask.factor)
        policy = await self.policies.get_login_policy(GetLoginPolicy(org_id=org.id))
        entry = await self._registration(human, ask, row, only_passkey=Factor.U2F not in policy.factors)
        changed = await self.commit(self._completed(entry, ask, row), actor=human.id)
        if ask.factor is Factor.TOTP:
            await self.verify_totp.reset_attempts(human)
        return await self._finished(Account(changed, org), ask)

    async def _finished(self, account: Account, ask: FinishEnrolment) -> EnrolmentFinished:
        """The user had no factor before, so each key is of this enrolment."""
        bound = ask.factor in _USES and await self.verify_key.keys.are_device_bound(account.user.id)
        return EnrolmentFinished(user=as_user(account), device_bound=bound)

    async def _registration(
        self, human: EndUser, ask: FinishEnrolment, row: EnrolmentRow, *, only_passkey: bool
    ) -> Entry[EndUser]:
        if ask.factor is Factor.TOTP:
            return await self.verify_totp.plan(human, ask.code, begun_by=row.id)
        if ask.factor is Factor.OTP_EMAIL:
            if not row.mail or row.mail != human.email:  # no code was entered that went there
                raise ENROLMENT_OVER.error(cause="address not proved")
            return put_end_user(human, msgspec.structs.replace(human, has_otp_email=True))
        use = _USES[ask.factor]
        only_passkey = only_passkey and use is Use.PASSKEY
        new = NewCredential(ask.registration, read_credential(ask.credential), only_passkey=only_passkey)
        return await self.verify_key.plan(human, use, new, begun_by=row.id)

    async def _repeated(self, ask: FinishEnrolment, *, settled: bool = False) -> EnrolmentFinished | None:
        """Returns the earlier result of the same submission; None for the first one."""
        row = await self.enrolments.find(ask.user_id, ask.enrolment, settled=settled)
        if row is None or not row.done:
            return None
        found = await self.accounts.find_end_user(row.user_id)
        if found is None or not equal_in_constant_time(row.done, _response(ask)):
            raise ENROLMENT_OVER.error(cause="finished with another response")
        return await self._finished(Account(*found), ask)

    def _completed(self, entry: Entry[EndUser], ask: FinishEnrolment, row: EnrolmentRow) -> Entry[EndUser]:
        """The entry is based on a user version without a factor: of concurrent enrolments only one commits."""
        hashes = hashes_of(row.user_id, derived_codes(ask.enrolment))
        return replace(
            entry,
            after=msgspec.structs.replace(entry.after, recovery_codes=len(hashes)),
            attachments=(*entry.attachments, Attachment(RECOVERY_CODES, row.user_id, {"hashes": hashes})),
            attached=(*entry.attached, RECOVERY_HASHES),
            side_writes=(*entry.side_writes, self.enrolments.completion(row.id, _response(ask))),
        )

    async def _load_open(self, user_id: str, name: str, factor: Factor) -> tuple[EndUser, Org, EnrolmentRow]:
        human, org, policy = await self._load(user_id)
        _require_none(human, policy)
        row = await self.enrolments.find(human.id, name)
        if row is None or not row.is_open or row.done or row.resets != human.resets:
            raise ENROLMENT_OVER.error()
        if factor not in _ENROLLED or factor not in policy.factors:
            raise NOT_ACCEPTED.error(factor=factor.value)
        return human, org, row

    async def _load(self, user_id: str) -> tuple[EndUser, Org, LoginPolicy]:
        found = await self.accounts.find_end_user(user_id)
        if found is None:
            raise ENROLMENT_OVER.error(cause="no active user")
        return (*found, await self.policies.get_login_policy(GetLoginPolicy(org_id=found[1].id)))

    def _message(self, human: EndUser, org: Org, code: str, languages: tuple[str, ...]) -> EmailMessage:
        values = {"issuer": self.issuer, "organization": org.name, "code": code, "login_name": human.user_name}
        tag = pick_language(languages or (human.preferred_language,)).tag
        return EmailMessage(
            template=EmailTemplate.ENROLMENT_CODE,
            to=human.email,
            language=tag,
            values=values,
            org_id=org.id,
            user_id=human.id,
        )


def _require_none(human: EndUser, policy: LoginPolicy) -> None:
    """Refuses users with a usable second factor; recovery codes do not count as one."""
    if _counting(factors_of(human), policy):
        raise HAS_FACTOR.error(user=human.id)


def _counting(factors: Collection[Factor], policy: LoginPolicy) -> bool:
    return any(factor in policy.factors for factor in factors)


def _response(ask: FinishEnrolment) -> str:
    return fingerprint(f"{ask.enrolment}\n{ask.factor}\n{code_letters(ask.code)}\n{ask.credential}")
