"""What users answers an end user who registers, or verifies an email address."""

from __future__ import annotations

from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.people import User


class Register(Message, frozen=True):
    """Creates an account for an end user who registers, and emails a code to the address.

    Attributes:
        org_id: the organization to join; empty for the instance's default.
        languages: what to write the email in, best first.
        sender: the client's address, for counting its emails; empty where it is not known.
    """

    email: str
    first_name: str
    last_name: str
    password: Secret
    org_id: str = ""
    languages: tuple[str, ...] = ()
    sender: str = ""


class EmailCodeSent(Message, frozen=True):
    """A code is on its way, or looks as if: an address that has an account gets an email that states it (LG-01).

    Attributes:
        challenge: names what the code is for; opaque.
        mail: the address, to be shown.
    """

    challenge: str
    mail: str


class SendEmailCode(Message, frozen=True):
    """Emails a code to an address of a user that is not verified yet, or again for a challenge.

    Exactly one of both is given.
    """

    user_id: str = ""
    challenge: str = ""
    languages: tuple[str, ...] = ()


class VerifyEmail(Message, frozen=True):
    """Checks an emailed code; each challenge takes at most 10 guesses (LG-07)."""

    challenge: str
    code: Secret


class EmailVerified(Message, frozen=True):
    """The user whose address is verified now; nothing for a wrong, used or expired code."""

    user: User | None = None


REGISTER = Rpc("users.v1.human.register", Register, EmailCodeSent, ("authz",))
SEND_EMAIL_CODE = Rpc("users.v1.mail.send_code", SendEmailCode, EmailCodeSent, ("authz",))
VERIFY_EMAIL = Rpc("users.v1.mail.verify", VerifyEmail, EmailVerified, ("authz",))
