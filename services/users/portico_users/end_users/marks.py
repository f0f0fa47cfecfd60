"""Marks of end users, stored and indexed for lists that filter by them, and the time of the last sign-in."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Final

from pymongo import ASCENDING, IndexModel

from portico_users.end_users.end_user import EndUser, can_authenticate
from portico_users.values.records import State

MARKS: Final = "marks"
LAST_SIGN_IN: Final = "lastSignIn"
"""Unix seconds, written outside the journal. Service users do not have it."""

NEVER: Final = 0.0
SERVICE_USER: Final = "serviceUser"
"""The only mark of a service user: every record has one, so that those of older releases are found."""


_WAYS: Final = "ways:"


class Way(StrEnum):
    """What a sign-in can begin with, as letters of a mark."""

    PASSWORD = "p"
    PASSKEY = "k"
    VERIFIED_EMAIL = "e"
    LINK = "l"


class Mark(StrEnum):
    """How a user can sign in (the first three), and whether the user has a second factor (the last two)."""

    INVITED = "invited"
    WITH_WAY_IN = "withWayIn"
    WITHOUT_WAY_IN = "withoutWayIn"
    WITH_FACTOR = "withFactor"
    WITHOUT_FACTOR = "withoutFactor"


_DELETED: Final = "deleted"


def marks_of(human: EndUser) -> list[str]:
    """Returns marks of the way to sign in, of second factors, of which a passkey is one, and of all ways.

    The last one is for rules that allow some ways (decision 0143), and absent from users with an invitation.
    """
    if human.state is State.DELETED:
        return [_DELETED]
    email_codes = human.has_otp_email and human.email_verified
    has_factor = bool(human.security_keys) or human.has_totp or human.has_otp_sms or email_codes
    access = _access_of(human)
    return [
        access.value,
        Mark.WITH_FACTOR.value if has_factor else Mark.WITHOUT_FACTOR.value,
        *([ways_mark(_ways_of(human))] if access is not Mark.INVITED else []),
    ]


def ways_mark(ways: Collection[Way]) -> str:
    """The mark of users who have exactly these."""
    return _WAYS + "".join(way.value for way in Way if way in ways)


def _ways_of(human: EndUser) -> set[Way]:
    has = {
        Way.PASSWORD: human.has_password,
        Way.PASSKEY: any(key.passkey for key in human.security_keys),
        Way.VERIFIED_EMAIL: human.email_verified,
        Way.LINK: bool(human.idp_links),
    }
    return {way for way, there in has.items() if there}


def _access_of(human: EndUser) -> Mark:
    """An invitation of a user who is not active cannot be accepted."""
    if human.invitation is not None and human.state is State.ACTIVE:
        return Mark.INVITED
    return Mark.WITH_WAY_IN if can_authenticate(human) else Mark.WITHOUT_WAY_IN


def mark_order(owner: str) -> list[tuple[str, int]]:
    """The index of marks within an owner, or (empty) across all: lists by name come sorted."""
    return [(name, ASCENDING) for name in (owner, MARKS, "displayName", "_id", "state") if name]


MARK_INDEXES: Final = tuple(IndexModel(mark_order(owner)) for owner in ("orgId", ""))
