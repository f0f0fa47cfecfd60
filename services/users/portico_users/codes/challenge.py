"""The challenge: a code that was mailed, and what it is for."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Subject(StrEnum):
    """What a code is about: of each there is one of a user at a time."""

    MAIL = "mail"
    PHONE = "phone"
    PASSWORD = "password"
    INVITE = "invite"


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
    """What a code is about. At most one of user, applicant and owner is given.

    Attributes:
        mail: the address (or the number) as it was given, and is shown.
        to: where the mail goes; with an owner the address they proved.
        org_name: in whose name it is written.
        user_id: whose address it is.
        applicant: whose account it becomes.
        owner: user name of the account the address has already; there is no code then.
        subject: of a user's code.
        login_name: what the user signs in with, where the mail has to say it.
        application: to what an invitation invites; empty for the organization.
        url_template: of the link in an invitation, for another one like it; empty for that to our own page.
    """

    mail: str
    to: str
    org_name: str
    user_id: str = ""
    applicant: Applicant | None = None
    owner: str = ""
    subject: Subject = Subject.MAIL
    login_name: str = ""
    application: str = ""
    url_template: str = ""

    def __repr__(self) -> str:
        """Names the kind only."""
        return "Purpose(...)"


class Challenge(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A code that can be guessed a few times, and is good once.

    Attributes:
        id: fingerprint of what the asker was given.
        code_hash: see `portico_users.domain.mailed_codes`; of nothing anybody knows when the address has an owner.
        kept: what names it, sealed, where nobody is given it: it is found by its user and subject.
    """

    id: str
    purpose: Purpose
    code_hash: str
    expires_at: float
    guesses: int = 0
    kept: str = ""
