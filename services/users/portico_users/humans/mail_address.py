"""What changes with a mail address: the one that was proven is remembered, and passwords are not mailed at once."""

from __future__ import annotations

from typing import Final

import msgspec

from portico_users.humans.human import Human

RECOVERY_WAITS: Final = 86_400.0
"""Seconds for which no password is mailed to an address that users set for themselves: whoever reads the notice at the
former one has that long to act."""


def with_address(human: Human, mail: str, *, verified: bool, recovery_from: float) -> Human:
    """The human with a mail address.

    Args:
        verified: somebody vouches for it.
        recovery_from: see `Human`.
    """
    proven = "" if verified else told_address(human)
    return msgspec.structs.replace(
        human, email=mail, email_verified=verified, proven_email=proven, recovery_from=recovery_from
    )


def told_address(human: Human) -> str:
    """Where notices go: the address that is proven, else the one that was proven last; empty for none.

    Without the second a thief would first make the address an unproven one, and then do the rest unseen.
    """
    return human.email if human.email_verified else human.proven_email


def shown_in_part(mail: str) -> str:
    """An address of which its owner knows it is theirs, and nobody else learns it.

    So little of it also lets nobody write words of their own into a mail to somebody else (HH-06).
    """
    local, _, host = mail.rpartition("@")
    return "@".join(f"{part[:1] if part[:1].isalnum() else ''}***" for part in (local, host))
