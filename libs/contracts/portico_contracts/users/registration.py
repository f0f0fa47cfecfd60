from __future__ import annotations

from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.accounts import User


class Register(Message, frozen=True):
    """Creates an account for a registering user and emails a code; `sender` is the IP address, for rate limiting.

    `by_domain`: the organization that has verified the address's domain may be the account's instead of `org_id`.
    """

    email: str
    first_name: str
    last_name: str
    password: Secret
    sender: str
    org_id: str = ""
    languages: tuple[str, ...] = ()
    by_domain: bool = False


class EmailCodeSent(Message, frozen=True):
    """The same whether a code was sent or not: an address that has an account receives an email about it (LG-01)."""

    challenge: str
    mail: str


class SendEmailCode(Message, frozen=True):
    """Emails a code to a user's unverified address, or again for a challenge; exactly one of the two is set."""

    user_id: str = ""
    challenge: str = ""
    languages: tuple[str, ...] = ()


class VerifyEmail(Message, frozen=True):
    """Verifies an emailed code; 10 attempts per challenge (LG-07)."""

    challenge: str
    code: Secret


class EmailVerified(Message, frozen=True):
    """The user whose address was verified; None for a wrong, used or expired code."""

    user: User | None = None


REGISTER = Rpc("users.v1.human.register", Register, EmailCodeSent, ("authz",))
SEND_EMAIL_CODE = Rpc("users.v1.mail.send_code", SendEmailCode, EmailCodeSent, ("authz",))
VERIFY_EMAIL = Rpc("users.v1.mail.verify", VerifyEmail, EmailVerified, ("authz",))
