"""Users of a row that exist already: with the same data, or with other."""

from __future__ import annotations

from typing import Final

from portico_oauth.errors import ErrorCode, Kind

from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.people.human import Human
from portico_users.kernel.names import canonical
from portico_users.kernel.records import values_of

OTHER_DATA = ErrorCode(
    "USER-840",
    Kind.ALREADY_EXISTS,
    "A user with this id or user name already exists with other data.",
    "Compare the two. An import never changes existing users.",
)

_NOT_OF_ROWS: Final = frozenset(
    {
        "state",
        "emailVerified",
        "emailProof",
        "phoneVerified",
        "hasPassword",
        "passwordChanged",
        "passwordChangeRequired",
        "grants",
        "securityKeys",
        "hasTotp",
        "hasOtpEmail",
        "recoveryCodes",
        "pendingEmail",
        "provenEmail",
        "recoveryFrom",
    }
)
"""Values that change after the import, or are not stored."""


async def find_existing(accounts: MongoAccounts, human: Human, *, given_id: bool) -> AnyUser | None:
    """The user who has the human's id, if it was given, or the user name."""
    found = await accounts.find(human.id) if given_id else None
    return found or await accounts.find_by_name(human.user_name)


def differences(human: Human, stored: AnyUser, *, given_id: bool) -> tuple[str, ...]:
    """Names of the values in which the row differs."""
    if not isinstance(stored, Human):
        return ("type",)
    wanted, there = values_of(human), values_of(stored)
    wanted["userName"], there["userName"] = canonical(human.user_name), canonical(stored.user_name)
    other = tuple(name for name, value in wanted.items() if name not in _NOT_OF_ROWS and value != there.get(name))
    return ("userId", *other) if given_id and stored.id != human.id else other
