from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec
from portico_oauth.opaque import fingerprint
from portico_oauth.typed_text import code_letters


class Subject(StrEnum):
    """The subject of a code; a user has at most one code of each."""

    EMAIL = "mail"
    NEW_EMAIL = "new_mail"
    PHONE = "phone"
    PASSWORD = "password"
    INVITE = "invite"
    RECOVERY = "recovery"


class Applicant(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """`org_id` is of the organization that was joined; `by_domain`: that of the address's domain comes before it.

    `hash` is empty for an account without a password.
    """

    org_id: str
    user_name: str
    first_name: str
    last_name: str
    language: str
    hash: str
    by_domain: bool = False

    def __repr__(self) -> str:
        return "Applicant(...)"


class Purpose(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The purpose of a code. At most one of user, applicant and owner is set.

    Attributes:
        to: recipient of the email; with an owner, the verified address of that account.
        applicant: the account to create once the code is verified.
        org_id: empty for a code that is not about an organization: its email is sent by the instance.
        user_id: empty for a code that is not about a user.
        owner: user name of the account that already has the address; then there is no code.
        owner_id: its id; a code of an earlier release has none, and its email is sent by the instance.
        event_id: the credential change that the code can recover the account from.
        since: when the session of that change began, in unix seconds; 0 without one.
        resets: the user's reset counter when the code was issued.
        inviter: the name of the person who sent an invitation.
        app_id: the application to open after an invitation.
        session_id: the only session in which the code is valid, if bound to one.
    """

    mail: str
    to: str
    org_name: str
    org_id: str
    user_id: str
    applicant: Applicant | None = None
    owner: str = ""
    owner_id: str = ""
    subject: Subject = Subject.EMAIL
    login_name: str = ""
    application: str = ""
    app_id: str = ""
    inviter: str = ""
    url_template: str = ""
    event_id: str = ""
    since: float = 0.0
    resets: int = 0
    session_id: str = ""

    def __repr__(self) -> str:
        return "Purpose(...)"


class Challenge(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A code with a bounded number of guesses, valid once.

    Attributes:
        id: fingerprint of the name that the requester received.
        code_hash: of an unknown code where the address has an owner.
        kept: its name, sealed, where no requester receives the name: it is found by its user and subject.
    """

    id: str
    purpose: Purpose
    code_hash: str
    expires_at: float
    guesses: int = 0
    kept: str = ""


SECONDS: Final = 3_600.0
"""Lifetime of a code."""

INVITE_SECONDS: Final = 259_200.0
"""Lifetime of an invitation: 72 hours, because the recipient does not expect it."""

GUESSES: Final = 10
"""Maximum guesses per code (LG-07)."""

LOOKS: Final = 5
"""Guesses that links may use up by being opened: a user who opens an older email leaves the others to the newer one."""

_MAX_TYPED: Final = 40


def code_hash(challenge: str, code: str) -> str:
    """Hashes a code with its challenge's name, which is stored only as a hash: prevents brute-forcing the code."""
    return fingerprint(f"{challenge}:{code_letters(code[:_MAX_TYPED])}")
