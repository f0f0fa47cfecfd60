"""Removes several credentials of a user at once, after the loss of a device."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import msgspec
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.opaque import fingerprint

from portico_users.credentials.commands.factor_codes import OTP_EMAIL_NOT_FOUND, OTP_SMS_NOT_FOUND
from portico_users.credentials.commands.recovery_codes import CODES_NOT_FOUND
from portico_users.credentials.passkey_links import CreatePasskeyLink, LinkRequest
from portico_users.credentials.recovery_codes import RECOVERY_CODES
from portico_users.credentials.revocations import Revocations
from portico_users.credentials.totp.authenticators import secret_claim
from portico_users.credentials.totp.edit_totp import TOTP_NOT_FOUND
from portico_users.credentials.webauthn.edit_passkeys import ATTACHED, KEY_NOT_FOUND
from portico_users.credentials.webauthn.stored_credentials import credential_claim
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.credential_changes import RECOVERY_HASHES
from portico_users.end_users.email_address import notification_address
from portico_users.end_users.end_user import EndUser
from portico_users.journal.command import Command, Commit
from portico_users.organizations.org import Org
from portico_users.storage.entry import Claim, Entry
from portico_users.values.problems import ALREADY_USED, CHANGED_MEANWHILE, at

NOTHING_TO_REMOVE = ErrorCode(
    "USER-945",
    Kind.INVALID_REQUEST,
    "The request names no credential to remove.",
    "Name at least one passkey or security key, or set at least one of totp, otpEmail, otpSms and recoveryCodes.",
)
_NOT_FOUND: Final = frozenset(
    error.id for error in (KEY_NOT_FOUND, TOTP_NOT_FOUND, OTP_EMAIL_NOT_FOUND, OTP_SMS_NOT_FOUND, CODES_NOT_FOUND)
)


class LostCredentials(NamedTuple):
    """The credentials to remove."""

    passkey_ids: tuple[str, ...] = ()
    u2f_ids: tuple[str, ...] = ()
    totp: bool = False
    otp_email: bool = False
    otp_sms: bool = False
    recovery_codes: bool = False


class Afterwards(NamedTuple):
    """`link_from` is the organization of a user who gets a link to register a passkey."""

    ends_sessions: bool = False
    link_from: Org | None = None


@dataclass(frozen=True, slots=True)
class RemoveCredentials(Command):
    """All are removed or none, in one transaction, and one email names them."""

    create_link: CreatePasskeyLink
    revocations: Revocations
    commit: Commit

    async def __call__(self, human: EndUser, lost: LostCredentials, afterwards: Afterwards, *, actor: str) -> EndUser:
        """Raises `unavailable` also if only the revocation is incomplete: repeating the call completes it."""
        if not any(lost):
            raise NOTHING_TO_REMOVE.error()
        cause = f"credentials:{fingerprint(repr(lost))}"
        try:
            entry = removal(human, lost)
        except ServiceError as error:
            is_repeated = error.id in _NOT_FOUND and await self.revocations.is_pending(human.id, cause)
            if not (afterwards.ends_sessions and is_repeated):
                raise
            await self.revocations.complete(human.id)
            return human
        if afterwards.link_from:
            entry = self._with_link(entry, afterwards.link_from)
        if afterwards.ends_sessions:
            revocation = self.revocations.request_revocation(human.id, cause, sessions=True)
            entry = replace(entry, attachments=(*entry.attachments, revocation))
        try:
            changed = await self.commit(entry, actor=actor)
        except ServiceError as error:
            raise (CHANGED_MEANWHILE.error() if error.id == ALREADY_USED.id else error) from None
        if afterwards.ends_sessions:
            await self.revocations.complete(human.id)
        return changed

    def _with_link(self, entry: Entry[EndUser], org: Org) -> Entry[EndUser]:
        """The notice contains the link if both go to the same address."""
        self.create_link.require_email()
        after = entry.after
        is_in_notice = notification_address(entry.before or after) == after.email
        planned = self.create_link.plan(after, org, LinkRequest("", emailed=not is_in_notice))
        told: Mapping[str, str] = {"passkey_link": planned.address} if is_in_notice else {}
        return replace(entry, side_writes=(*entry.side_writes, planned.work), notice_values=told)


def removal(human: EndUser, lost: LostCredentials) -> Entry[EndUser]:
    """Returns the change. Raises the error of the first credential that the user does not have, at its field."""
    for place, is_lost, there, absent in (
        ("totp", lost.totp, human.has_totp, TOTP_NOT_FOUND),
        ("otpEmail", lost.otp_email, human.has_otp_email, OTP_EMAIL_NOT_FOUND),
        ("otpSms", lost.otp_sms, human.has_otp_sms, OTP_SMS_NOT_FOUND),
        ("recoveryCodes", lost.recovery_codes, human.recovery_codes > 0, CODES_NOT_FOUND),
    ):
        if is_lost and not there:
            raise at(place, absent.error())
    keys = {*_keys(human, lost.passkey_ids, "passkeyIds"), *_keys(human, lost.u2f_ids, "u2fIds", passkey=False)}
    after = msgspec.structs.replace(
        human,
        security_keys=tuple(key for key in human.security_keys if key.id not in keys),
        has_totp=human.has_totp and not lost.totp,
        has_otp_email=human.has_otp_email and not lost.otp_email,
        has_otp_sms=human.has_otp_sms and not lost.otp_sms,
        recovery_codes=0 if lost.recovery_codes else human.recovery_codes,
    )
    claims = [credential_claim(id) for id in sorted(keys)]
    claims += [secret_claim(human.id)] if lost.totp else []
    claims += [Claim(RECOVERY_CODES, human.id)] if lost.recovery_codes else []
    attached = [*(ATTACHED if keys else ()), *(("totpSecret",) if lost.totp else ())]
    attached += [RECOVERY_HASHES] if lost.recovery_codes else []
    return replace(put_end_user(human, after), claims=tuple(claims), attached=tuple(attached))


def _keys(human: EndUser, ids: tuple[str, ...], place: str, *, passkey: bool = True) -> Iterator[str]:
    there = {key.id for key in human.security_keys if key.passkey is passkey}
    for number, id in enumerate(ids):
        if id not in there:
            raise at(f"{place}[{number}]", KEY_NOT_FOUND.error())
        yield id
