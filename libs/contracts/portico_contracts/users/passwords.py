from __future__ import annotations

from typing import Final

from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.accounts import User

HASH_WAIT_SECONDS: Final = 10.0
"""The waiting room: a password is admitted while the wait for its hash is estimated at this or less (decision 0042).

The deadlines of a password follow from here: each is longer than what it waits for, so that the innermost one speaks.
`PASSWORD_SECONDS` for the question to users, `login.LOGIN_PASSWORD_SECONDS` for authz's answer to the login pages,
`http.GATEWAY_SECONDS` for the answer to the browser.
"""

BOOKED_WAIT_SECONDS: Final = HASH_WAIT_SECONDS + 2
"""The same for a caller that returns at its booked time, where earlier callers took longer than estimated."""

HASH_SECONDS: Final = 10.0
"""Maximum duration of the costliest imported hash, with other hashes on its core."""

PASSWORD_SECONDS: Final = BOOKED_WAIT_SECONDS + HASH_SECONDS + 2
"""Timeout of users for verifying a password: the wait, the hash and its own stores."""


class VerifyPassword(Message, frozen=True):
    """Verifies a password. The attempt is counted first, and unknown names take the same time.

    users resolves `login_name` as typed, so that all spellings share one counter. `org_id` is
    the only organization whose users may sign in; empty for any.
    """

    login_name: str
    password: Secret
    org_id: str


class PasswordVerified(Message, frozen=True):
    """None for a wrong password and for an unknown or inactive user alike; `slow_down` has a retry-after.

    `attempted` is the id of the user with the entered name and `failure` a `SignInFailure`, both for the event of a
    failed sign-in. No page may depend on them.
    """

    user: User | None = None
    attempted: str = ""
    failure: str = ""


class ChangePassword(Message, frozen=True):
    """Sets a new password for a user who has just entered the current one."""

    user_id: str
    current_password: Secret
    new_password: Secret


class PasswordChanged(Message, frozen=True):
    """The user; None when the current password was wrong."""

    user: User | None = None


COSTLY_SECONDS: Final = 2.0
"""Duration of a hash from which the import and `portico doctor` warn."""


class GetHashKinds(Message, frozen=True):
    """Requests the kinds of stored password hashes; the first of each algorithm is computed to measure its duration."""


class HashKind(Message, frozen=True):
    """Hashes of one algorithm and cost (``bcrypt, cost=14``); `seconds` is the duration of one hash here."""

    description: str
    users: int
    seconds: float


class HashKinds(Message, frozen=True):
    """All kinds, most frequent first; `at` is Unix seconds by the clock of users."""

    kinds: tuple[HashKind, ...]
    at: float


VERIFY_PASSWORD = Rpc(
    "users.v1.password.verify", VerifyPassword, PasswordVerified, ("authz",), seconds=PASSWORD_SECONDS
)
CHANGE_PASSWORD = Rpc("users.v1.password.change", ChangePassword, PasswordChanged, ("authz",), seconds=PASSWORD_SECONDS)
HASH_KINDS = Rpc("users.v1.hash_kinds.ask", GetHashKinds, HashKinds, ("operator",), seconds=60.0)
