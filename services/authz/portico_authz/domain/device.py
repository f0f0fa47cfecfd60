"""A device that waits for its user, who signs in with a browser (RFC 8628)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from portico_contracts.authz import CodeGrant
from portico_oauth.opaque import RandomBytes, b64url, fingerprint

EXPIRES_IN: Final = 600
INTERVAL: Final = 5
SLOWER: Final = 5
"""Added to the interval by each `slow_down` (RFC 8628 section 3.5)."""

JITTER: Final = 1
"""How much earlier than the interval a poll may arrive."""

_ALPHABET: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""Consonants only: no words, no digits that look like letters (RFC 8628 section 6.1)."""

_LENGTH: Final = 8
_SEPARATORS: Final = re.compile(r"[\s-]+")
_USER_CODE: Final = re.compile(rf"[{_ALPHABET}]{{{_LENGTH}}}\Z")
_DEVICE_CODE: Final = re.compile(rf"([{_ALPHABET}]{{{_LENGTH}}})[A-Za-z0-9_-]{{43}}\Z")
_FAIR: Final = 256 // len(_ALPHABET) * len(_ALPHABET)
"""Random bytes below this have an equal chance for each letter."""


def new_user_code(random: RandomBytes) -> str:
    letters = ""
    while len(letters) < _LENGTH:
        letters += "".join(_ALPHABET[byte % len(_ALPHABET)] for byte in random(2 * _LENGTH) if byte < _FAIR)
    return letters[:_LENGTH]


def read_user_code(text: str) -> str:
    """Returns a typed code in upper case without separators; empty if it cannot be one."""
    code = _SEPARATORS.sub("", text[:100]).upper()
    return code if _USER_CODE.match(code) else ""


def new_device_code(user_code: str, random: RandomBytes) -> str:
    """Begins with the user code, which finds the record; the rest is secret, and only its hash is stored."""
    return user_code + b64url(random(32))


def user_code_in(device_code: str) -> str:
    """Returns the user code of a device code; empty for text that cannot be one."""
    found = _DEVICE_CODE.match(device_code)
    return found.group(1) if found else ""


@dataclass(frozen=True, slots=True)
class DeviceRequest:
    """The request of a device; times are in unix seconds, `secret` is the fingerprint of the device code."""

    user_code: str = field(repr=False)
    secret: str
    client_id: str
    scope: str
    asked_at: float
    expires_at: float
    address: str = ""
    country: str = ""
    resource: str = ""


class PollOutcome(StrEnum):
    """`UNKNOWN` is also another client's code; `CLAIMED` occurs once per code."""

    PENDING = "pending"
    TOO_FAST = "too_fast"
    APPROVED = "approved"
    DENIED = "denied"
    EXPIRED = "expired"
    UNKNOWN = "unknown"
    CLAIMED = "claimed"
    SPENT = "spent"


@dataclass(frozen=True, slots=True)
class Poll:
    """`grant` is set with `APPROVED` and `CLAIMED`."""

    outcome: PollOutcome
    grant: CodeGrant | None = None


def secret_of(device_code: str) -> str:
    return fingerprint(device_code)
