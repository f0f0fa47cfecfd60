"""The challenge: a code that was issued, and what it is for."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec
from portico_oauth.opaque import RandomBytes, fingerprint
from portico_oauth.typed_text import code_letters


class Subject(StrEnum):
    """What a code is about: of each there is one of a user at a time."""

    EMAIL = "mail"
    NEW_EMAIL = "new_mail"
    PHONE = "phone"
    PASSWORD = "password"
    INVITE = "invite"
    RECOVERY = "recovery"


class Applicant(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An end user who registers, and has no account yet.

    Attributes:
        hash: of the chosen password.
        language: tag of the preferred one; empty where none was chosen.
    """

    org_id: str
    user_name: str
    first_name: str
    last_name: str
    language: str
    hash: str

    def __repr__(self) -> str:
        """Names the kind only: it holds a name and a password hash."""
        return "Applicant(...)"


class Purpose(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What a code is about. At most one of user, applicant and owner is given.

    Attributes:
        mail: the address (or the number) as it was given, and is displayed.
        to: recipient of the email; with an owner the verified address of that account.
        org_name: the organization the email names as its sender.
        org_id: of that organization, for the branding of the email.
        user_id: of the account with this address.
        applicant: the account that is created once the code is verified.
        owner: user name of the account the address has already; there is no code then.
        subject: of a user's code.
        login_name: of the user, where the email names it.
        application: to what an invitation invites; empty for the organization.
        url_template: of the link in an invitation, for another one like it; empty for that to our own page.
        event_id: of the change whose notice the code recovers the account from.
        resets: of the user, when the code was issued.
        session_id: the session that requested the code, for one that counts in no other.
    """

    mail: str
    to: str
    org_name: str
    org_id: str = ""
    user_id: str = ""
    applicant: Applicant | None = None
    owner: str = ""
    subject: Subject = Subject.EMAIL
    login_name: str = ""
    application: str = ""
    url_template: str = ""
    event_id: str = ""
    resets: int = 0
    session_id: str = ""

    def __repr__(self) -> str:
        """Names the kind only."""
        return "Purpose(...)"


class Challenge(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A code with a bounded number of guesses, valid once.

    Attributes:
        id: fingerprint of the name that the requester received.
        code_hash: see `portico_users.codes.challenge`; of an unknown code where the address has an owner.
        kept: its name, sealed, where no requester receives the name: it is found by its user and subject.
    """

    id: str
    purpose: Purpose
    code_hash: str
    expires_at: float
    guesses: int = 0
    kept: str = ""


ALPHABET: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
LENGTH: Final = 6
SECONDS: Final = 3_600.0
"""Lifetime of a code."""

INVITE_SECONDS: Final = 259_200.0
"""Lifetime of an invitation: 72 hours, since its recipient does not expect it."""

GUESSES: Final = 10
"""Guesses at one code (LG-07)."""

_MAX_TYPED: Final = 40


def new_code(random: RandomBytes) -> str:
    """A new code: 30 random bits."""
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in random(LENGTH))


def code_hash(challenge: str, code: str) -> str:
    """What is stored of a code. The challenge, itself stored as a fingerprint, protects it against a search.

    Args:
        code: as generated, or as typed: in any case, with blanks and separators.
    """
    return fingerprint(f"{challenge}:{code_letters(code[:_MAX_TYPED])}")
