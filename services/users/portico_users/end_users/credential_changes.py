from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import StrEnum
from typing import Final

from portico_users.end_users.email_address import notification_address
from portico_users.end_users.end_user import EndUser

PASSWORD: Final = "password"
RECOVERY_HASHES: Final = "recoveryCodeHashes"
RECOVERY_USED: Final = "recoveryCodeUsed"


class CredentialChange(StrEnum):
    """Kinds of changes; each has a sentence in `templates/_changes.html`."""

    EMAIL = "mail"
    PASSWORD = "password"
    PASSKEY_ADDED = "passkey_added"
    PASSKEY_REMOVED = "passkey_removed"
    KEY_ADDED = "key_added"
    KEY_REMOVED = "key_removed"
    TOTP_ADDED = "totp_added"
    TOTP_REMOVED = "totp_removed"
    EMAIL_CODES_ADDED = "mail_codes_added"
    EMAIL_CODES_REMOVED = "mail_codes_removed"
    TEXT_CODES_ADDED = "text_codes_added"
    TEXT_CODES_REMOVED = "text_codes_removed"
    RECOVERY_MADE = "recovery_made"
    RECOVERY_REMOVED = "recovery_removed"
    RECOVERY_USED = "recovery_used"
    LINK_ADDED = "link_added"
    LINK_REMOVED = "link_removed"
    ADOPTED = "adopted"


def credential_changes(before: EndUser, after: EndUser, attached: Collection[str]) -> tuple[CredentialChange, ...]:
    """The changed credentials; a first password and an address that was not verified are no changes."""
    return (
        *_email_and_password(before, after, attached),
        *_security_keys(before, after),
        *_factors(before, after, attached),
        *_links(before, after),
        *_adoption(before, after),
    )


_WITHOUT_DOUBT: Final = frozenset({CredentialChange.RECOVERY_USED, CredentialChange.ADOPTED})


def ends_trust(before: EndUser, after: EndUser, attached: Collection[str]) -> bool:
    """Reports whether a change ends the trust in devices: each credential change but the use of a recovery code and
    an adoption, and each change of the state.
    """
    changes = set(credential_changes(before, after, attached)) - _WITHOUT_DOUBT
    return bool(changes) or before.state is not after.state


def _email_and_password(before: EndUser, after: EndUser, attached: Collection[str]) -> Iterator[CredentialChange]:
    if notification_address(before) and before.email != after.email:
        yield CredentialChange.EMAIL
    if before.has_password and PASSWORD in attached:
        yield CredentialChange.PASSWORD


def _security_keys(before: EndUser, after: EndUser) -> Iterator[CredentialChange]:
    old, new = ({key.id: key for key in human.security_keys} for human in (before, after))
    for id in new.keys() - old.keys():
        yield CredentialChange.PASSKEY_ADDED if new[id].passkey else CredentialChange.KEY_ADDED
    for id in old.keys() - new.keys():
        yield CredentialChange.PASSKEY_REMOVED if old[id].passkey else CredentialChange.KEY_REMOVED


def _factors(before: EndUser, after: EndUser, attached: Collection[str]) -> Iterator[CredentialChange]:
    if before.has_totp is not after.has_totp:
        yield CredentialChange.TOTP_ADDED if after.has_totp else CredentialChange.TOTP_REMOVED
    if before.has_otp_email is not after.has_otp_email:
        yield CredentialChange.EMAIL_CODES_ADDED if after.has_otp_email else CredentialChange.EMAIL_CODES_REMOVED
    if before.has_otp_sms is not after.has_otp_sms:
        yield CredentialChange.TEXT_CODES_ADDED if after.has_otp_sms else CredentialChange.TEXT_CODES_REMOVED
    if RECOVERY_USED in attached:
        yield CredentialChange.RECOVERY_USED
    elif RECOVERY_HASHES in attached:
        yield CredentialChange.RECOVERY_MADE if after.recovery_codes else CredentialChange.RECOVERY_REMOVED


def _links(before: EndUser, after: EndUser) -> Iterator[CredentialChange]:
    """Linked identities allow sign-in like credentials; ignores renaming."""
    old, new = ({link.key for link in human.idp_links} for human in (before, after))
    if new - old:
        yield CredentialChange.LINK_ADDED
    if old - new:
        yield CredentialChange.LINK_REMOVED


def _adoption(before: EndUser, after: EndUser) -> Iterator[CredentialChange]:
    """A SCIM connection takes up an account that it did not make (decision 0150)."""
    kept = after.provisioned
    if (
        kept
        and not kept.removed
        and (before.provisioned is None or before.provisioned.connection_id != kept.connection_id)
    ):
        yield CredentialChange.ADOPTED
