"""What changes with an email address: the one that was proven stays known, no code for a password is sent to it at once,
and why an address counts as verified is stored.
"""

from __future__ import annotations

from typing import Final

import msgspec

from portico_users.directory.people.human import EmailProof, Human, ProofKind

RECOVERY_WAITS: Final = 86_400.0
"""Seconds for which no code for a password is sent to an address that users set for themselves: the reader of the notice
at the former one has that long to act."""


def with_address(human: Human, mail: str, *, verified: bool, recovery_from: float) -> Human:
    """The human with an email address.

    Args:
        verified: the caller vouches for it.
        recovery_from: see `Human`.
    """
    proven = "" if verified else notification_address(human)
    # A caller who vouches for an address that is verified already changes nothing about how it was verified.
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


def with_pending_address(human: Human, mail: str) -> Human:
    """The human with a new address that waits for its proof; without one where it is the address they have.

    The present one stays login name and recovery address, so that a typing error costs no person their account.
    """
    return msgspec.structs.replace(human, pending_email=mail if mail != human.email else "")


def with_recovered_address(human: Human, mail: str) -> Human:
    """The human with the address that a notice went to, once a code that was sent there came back.

    An address that the account has meanwhile may be the thief's, who could have the next password sent to it.
    """
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


def may_recover(human: Human, mail: str) -> bool:
    """A notice that went to the address still gives its reader the account.

    Not once an administrator has set another address, and not for the address a recovery has replaced.
    """
    return human.email == mail or human.recovery_from > 0


def with_proof(human: Human, *, emailed: bool) -> Human:
    """The human whose address was verified by a code. The first proof stays.

    Args:
        emailed: the code was sent to the address; one that was returned to a caller proves nothing about its owner.
    """
    if not emailed and human.email_verified:
        return human
    if human.email_proof is not None and human.email_proof.kind is ProofKind.PROVEN:
        return human
    kind = ProofKind.PROVEN if emailed else ProofKind.ASSERTED
    return msgspec.structs.replace(human, email_verified=True, email_proof=EmailProof(kind=kind))


def settled(before: Human | None, after: Human) -> Human:
    """The new version with a proof where its address became verified, and without one where it is not.

    A change without a proof has asserted the address. An address that was verified by a release that
    kept no proof is left to `humans.proof_migration`.
    """
    if not after.email_verified:
        return msgspec.structs.replace(after, email_proof=None) if after.email_proof else after
    known = before is not None and before.email_verified and before.email == after.email
    if after.email_proof is not None or known:
        return after
    return msgspec.structs.replace(after, email_proof=EmailProof(kind=ProofKind.ASSERTED))


def stamped(human: Human, timestamp: float) -> Human:
    """The human whose new proof, if any, has its time."""
    proof = human.email_proof
    if proof is None or proof.at:
        return human
    return msgspec.structs.replace(human, email_proof=msgspec.structs.replace(proof, at=timestamp))


def notification_address(human: Human) -> str:
    """Where notices go: the address that is proven, else the one that was proven last; empty for none.

    Without the second a thief would first make the address an unproven one, and then do the rest unseen.
    """
    return human.email if human.email_verified else human.proven_email


def notification_wait(human: Human) -> float:
    """Unix seconds from which on a code for a password may be sent to where notices go."""
    return human.recovery_from if human.email_verified else human.proven_recovery_from


def masked_email(mail: str) -> str:
    """An address in a form that only its owner recognizes.

    So little of it also keeps a caller from writing words of their own into an email to another person (HH-06).
    """
    local, _, host = mail.rpartition("@")
    return "@".join(f"{part[:1] if part[:1].isalnum() else ''}***" for part in (local, host))
