"""What users answers about passwords; no other service verifies one."""

from __future__ import annotations

from typing import Final

from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.people import User

HASH_WAIT_SECONDS: Final = 10.0
"""The waiting room: a password is admitted while the wait for its hash is estimated at this or less (decision 0042).

The deadlines of a password follow from here: each is longer than what it waits for, so that the innermost one speaks.
`PASSWORD_SECONDS` for the question to users, `login.LOGIN_PASSWORD_SECONDS` for authz's answer to the login pages,
`http.GATEWAY_SECONDS` for the answer to the browser.
"""

BOOKED_WAIT_SECONDS: Final = HASH_WAIT_SECONDS + 2
"""The same for a caller that returns at the time it was given, where the callers before it took longer than estimated."""

HASH_SECONDS: Final = 10.0
"""What the costliest hash that is taken over may take, with other hashes on its core."""

PASSWORD_SECONDS: Final = BOOKED_WAIT_SECONDS + HASH_SECONDS + 2
"""How long users may take to compare a password: the wait, the hash, and its own stores."""


class VerifyPassword(Message, frozen=True):
    """Checks a typed password; counts the attempt first, and costs the same for unknown names.

    Attributes:
        login_name: as typed; resolved by users, so that every spelling counts on one counter.
        password: as typed, 1..200 characters.
        org_id: only a user of this organization, empty for any.
    """

    login_name: str
    password: Secret
    org_id: str = ""


class PasswordVerified(Message, frozen=True):
    """The user whose password it was; nothing for a wrong password and an unknown or inactive user alike.

    A caller that must wait gets the error `slow_down` with a retry-after instead.
    """

    user: User | None = None


class ChangePassword(Message, frozen=True):
    """Sets a new password for a user who just proved the old one.

    A password the policy refuses is refused with the policy's own error code.
    """

    user_id: str
    current_password: Secret
    new_password: Secret


class PasswordChanged(Message, frozen=True):
    """The user; nothing when the current password was wrong."""

    user: User | None = None


COSTLY_SECONDS: Final = 2.0
"""From here on the import and `portico doctor` warn about a hash."""


class GetHashKinds(Message, frozen=True):
    """Which hashes the directory holds; the first of each algorithm is computed to see how long it takes."""


class HashKind(Message, frozen=True):
    """Hashes of one algorithm and cost.

    Attributes:
        description: ``bcrypt, cost=14``.
        users: how many users have one.
        seconds: how long one takes where users runs.
    """

    description: str
    users: int
    seconds: float


class HashKinds(Message, frozen=True):
    """All of them, the most frequent first.

    Attributes:
        at: Unix seconds of the clock of users.
    """

    kinds: tuple[HashKind, ...]
    at: float


VERIFY_PASSWORD = Rpc(
    "users.v1.password.verify", VerifyPassword, PasswordVerified, ("authz",), seconds=PASSWORD_SECONDS
)
CHANGE_PASSWORD = Rpc("users.v1.password.change", ChangePassword, PasswordChanged, ("authz",), seconds=PASSWORD_SECONDS)
HASH_KINDS = Rpc("users.v1.hash_kinds.ask", GetHashKinds, HashKinds, ("operator",), seconds=60.0)
