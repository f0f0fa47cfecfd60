"""The challenge: a code that was mailed, and what it is for."""

from __future__ import annotations

import msgspec


class Applicant(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Somebody who wants an account.

    Attributes:
        hash: of the password they chose.
        language: tag of the one they read best; empty when they did not say.
    """

    org_id: str
    user_name: str
    first_name: str
    last_name: str
    language: str
    hash: str

    def __repr__(self) -> str:
        """Names the kind only: it is somebody's name and password."""
        return "Applicant(...)"


class Purpose(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What a mail with a code is about. At most one of the last three is given.

    Attributes:
        mail: the address as it was given, and is shown.
        to: where the mail goes; with an owner the address they proved.
        org_name: in whose name it is written.
        user_id: whose address it is.
        applicant: whose account it becomes.
        owner: user name of the account the address has already; there is no code then.
    """

    mail: str
    to: str
    org_name: str
    user_id: str = ""
    applicant: Applicant | None = None
    owner: str = ""

    def __repr__(self) -> str:
        """Names the kind only."""
        return "Purpose(...)"


class Challenge(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A code that can be guessed a few times, and is good once.

    Attributes:
        id: fingerprint of what the asker was given.
        code_hash: see `portico_users.domain.mailed_codes`; of nothing anybody knows when the address has an owner.
    """

    id: str
    purpose: Purpose
    code_hash: str
    expires_at: float
    guesses: int = 0
