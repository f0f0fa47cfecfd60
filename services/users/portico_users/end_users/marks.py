"""Marks of end users, stored and indexed for lists that filter by them, and the time of the last sign-in."""

from __future__ import annotations

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


class Mark(StrEnum):
    """How a user can sign in (the first three), and whether the user has a second factor (the last two)."""

    INVITED = "invited"
    WITH_WAY_IN = "withWayIn"
    WITHOUT_WAY_IN = "withoutWayIn"
    WITH_FACTOR = "withFactor"
    WITHOUT_FACTOR = "withoutFactor"


_DELETED: Final = "deleted"


def marks_of(human: EndUser) -> list[str]:
    """Returns two marks: of the way to sign in, and of second factors, of which a passkey is one."""
    if human.state is State.DELETED:
        return [_DELETED]
    email_codes = human.has_otp_email and human.email_verified
    has_factor = bool(human.security_keys) or human.has_totp or human.has_otp_sms or email_codes
    return [
        _access_of(human).value,
        Mark.WITH_FACTOR.value if has_factor else Mark.WITHOUT_FACTOR.value,
    ]


def _access_of(human: EndUser) -> Mark:
    """An invitation of a user who is not active cannot be accepted."""
    if human.invitation is not None and human.state is State.ACTIVE:
        return Mark.INVITED
    return Mark.WITH_WAY_IN if can_authenticate(human) else Mark.WITHOUT_WAY_IN


def mark_order(owner: str) -> list[tuple[str, int]]:
    """The index of marks within an owner, or (empty) across all: lists by name come sorted."""
    return [(name, ASCENDING) for name in (owner, MARKS, "displayName", "_id", "state") if name]


MARK_INDEXES: Final = tuple(IndexModel(mark_order(owner)) for owner in ("orgId", ""))
