"""Sign-in with an emailed code instead of a password (decision 0099)."""

from __future__ import annotations

from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.passwords import PasswordVerified


class SendSignInCode(Message, frozen=True):
    """Requests a sign-in code by email. The reply is the same, and as fast, with and without an account (LG-01).

    Attributes:
        login_name: as typed; the code goes to the verified address of its user.
        org_id: the only organization whose users may sign in; empty for any.
        languages: languages of the email where the user's is unknown, best first.
        sender: the client's IP address, for rate limiting; empty if unknown.
        earlier: the challenge of the code that this one replaces; empty for none.
    """

    login_name: str
    org_id: str
    sender: str
    languages: tuple[str, ...] = ()
    earlier: Secret = ""


class SignInCodeSent(Message, frozen=True):
    """`challenge` must be stored where the browser can neither read nor change it: it binds the code to the browser."""

    challenge: Secret


class VerifySignInCode(Message, frozen=True):
    """Verifies an emailed sign-in code: 8 digits, 10 minutes, 5 attempts, valid once."""

    challenge: Secret
    code: Secret


SEND_SIGN_IN_CODE = Rpc("users.v1.sign_in_code.send", SendSignInCode, SignInCodeSent, ("authz",))
VERIFY_SIGN_IN_CODE = Rpc("users.v1.sign_in_code.verify", VerifySignInCode, PasswordVerified, ("authz",))
