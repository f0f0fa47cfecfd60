"""Changes of addresses: the last verified one stays known, a new one gets no password codes for a while."""

from __future__ import annotations

from typing import Final

import msgspec

from portico_users.end_users.end_user import EmailProof, EndUser, ProofKind

RECOVERY_WAITS: Final = 86_400.0
"""Seconds before password codes are sent to an address that users set themselves: time for the reader of the
notice at the former address to react.
"""


def with_address(human: EndUser, mail: str, *, verified: bool, recovery_from: float) -> EndUser:
    proven = "" if verified else notification_address(human)
    # Asserting an address that is already verified does not change how it was verified.
    is_known = human.email_verified and human.email == mail
    proof = (human.email_proof if is_known else EmailProof(kind=ProofKind.ASSERTED)) if verified else None
    return msgspec.structs.replace(
        human,
        email=mail,
        email_verified=verified,
        email_proof=proof,
        pending_email="",
        proven_email=proven,
        recovery_from=recovery_from,
        proven_recovery_from=notification_wait(human) if proven else 0.0,
    )


def with_pending_address(human: EndUser, mail: str) -> EndUser:
    """The current address stays in use for login and recovery, so that a typo does not lock users out."""
    return msgspec.structs.replace(human, pending_email=mail if mail != human.email else "")


def with_recovered_address(human: EndUser, mail: str) -> EndUser:
    """Restores the address of a notice: the current one may be an attacker's, who could reset the password."""
    recovered = msgspec.structs.replace(
        human,
        email=mail,
        email_verified=True,
        pending_email="",
        proven_email="",
        recovery_from=0.0,
        proven_recovery_from=0.0,
    )
    is_known = human.email_verified and human.email == mail
    return with_proof(recovered if is_known else msgspec.structs.replace(recovered, email_proof=None), emailed=True)


def may_recover(human: EndUser, mail: str) -> bool:
    """Not after an administrator set another address, and not for an address that a recovery replaced."""
    return human.email == mail or human.recovery_from > 0


def with_proof(human: EndUser, *, emailed: bool) -> EndUser:
    """Keeps the first proof. A code returned to a caller (not ``emailed``) proves nothing about the owner."""
    if not emailed and human.email_verified:
        return human
    if human.email_proof is not None and human.email_proof.kind is ProofKind.PROVEN:
        return human
    kind = ProofKind.PROVEN if emailed else ProofKind.ASSERTED
    return msgspec.structs.replace(human, email_verified=True, email_proof=EmailProof(kind=kind))


def settled(before: EndUser | None, after: EndUser) -> EndUser:
    """A newly verified address without another proof counts as asserted; an unverified one has no proof."""
    if not after.email_verified:
        return msgspec.structs.replace(after, email_proof=None) if after.email_proof else after
    known = before is not None and before.email_verified and before.email == after.email
    if after.email_proof is not None or known:
        return after
    return msgspec.structs.replace(after, email_proof=EmailProof(kind=ProofKind.ASSERTED))


def stamped(human: EndUser, timestamp: float) -> EndUser:
    proof = human.email_proof
    if proof is None or proof.at:
        return human
    return msgspec.structs.replace(human, email_proof=msgspec.structs.replace(proof, at=timestamp))


def notification_address(human: EndUser) -> str:
    """Returns the last verified address: an attacker could set an unverified one and go on unnoticed."""
    return human.email if human.email_verified else human.proven_email


def notification_wait(human: EndUser) -> float:
    """Returns the unix seconds from which password codes may be sent to the notification address."""
    return human.recovery_from if human.email_verified else human.proven_recovery_from


def masked_email(mail: str) -> str:
    """Only its owner recognizes it, and callers cannot put text of their own into emails to others (HH-06)."""
    local, _, host = mail.rpartition("@")
    return "@".join(f"{part[:1] if part[:1].isalnum() else ''}***" for part in (local, host))
