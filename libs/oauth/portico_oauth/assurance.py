from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

PASSWORD: Final = "pwd"
ONE_TIME_CODE: Final = "otp"
TEXT_MESSAGE: Final = "sms"
HARDWARE_KEY: Final = "hwk"
KEY: Final = "pop"
"""A key that may be backed up: it is not known what protects the copies."""

USER_PRESENCE: Final = "user"
MULTI_FACTOR: Final = "mfa"

ACR_PASSWORD: Final = "urn:portico:acr:pwd"
ACR_MULTI_FACTOR: Final = "urn:portico:acr:mfa"
ACR_PHISHING_RESISTANT: Final = "urn:portico:acr:phr"

ACR_PHR: Final = "phr"
ACR_PHRH: Final = "phrh"
"""Phishing-resistant, and phishing-resistant with a hardware-protected key (OpenID Connect EAP ACR Values 1.0)."""

_LEVELS: Final = {ACR_PASSWORD: 1, ACR_MULTI_FACTOR: 2, ACR_PHISHING_RESISTANT: 3, ACR_PHR: 3, ACR_PHRH: 4}

ACR_VALUES: Final = tuple(_LEVELS)
"""Weakest first; published by discovery. Two names of one level are both accepted."""

UNREACHABLE: Final = max(_LEVELS.values()) + 1

_ORDER: Final = (PASSWORD, ONE_TIME_CODE, TEXT_MESSAGE, HARDWARE_KEY, KEY, USER_PRESENCE, MULTI_FACTOR)


def webauthn_methods(*, device_bound: bool) -> tuple[str, ...]:
    """Returns what a WebAuthn assertion proves: possession, and user presence (RFC 8176 section 2)."""
    return (HARDWARE_KEY if device_bound else KEY, USER_PRESENCE)


def has_key(amr: Collection[str]) -> bool:
    """Reports whether a WebAuthn credential was used."""
    return HARDWARE_KEY in amr or KEY in amr


def add_second_factor(amr: Collection[str], *second: str) -> tuple[str, ...]:
    """Adds a second factor; the result includes ``mfa`` (RFC 8176 section 2)."""
    done = {*amr, *second, MULTI_FACTOR}
    return tuple(word for word in _ORDER if word in done)


def add_password(amr: Collection[str]) -> tuple[str, ...]:
    return tuple(word for word in _ORDER if word in {*amr, PASSWORD})


def level_of(acr: str) -> int:
    """Returns the strength of a level, from 1; 0 for an unpublished one."""
    return _LEVELS.get(acr, 0)


def published_in(requested: Iterable[object]) -> tuple[str, ...]:
    """Returns the published values of a request, each once, in its order, which is the application's preference."""
    return tuple(dict.fromkeys(acr for acr in requested if isinstance(acr, str) and acr in _LEVELS))


def acr_claim(reached: str, named: Collection[str]) -> str:
    """Returns the strongest reached level by the name that the application requested first, else the reached level.

    Applications that did not request ``phrh`` by name know only our own name of a phishing-resistant sign-in.
    """
    fitting = [acr for acr in named if level_of(acr) <= level_of(reached)]
    if fitting:
        return max(fitting, key=level_of)
    return ACR_PHISHING_RESISTANT if reached == ACR_PHRH else reached


def acr_of(amr: Collection[str], *, device_bound: bool = False) -> str:
    """`device_bound`: the key states with its signature that it cannot be copied to another device."""
    if has_key(amr):
        return ACR_PHRH if device_bound else ACR_PHISHING_RESISTANT
    return ACR_MULTI_FACTOR if MULTI_FACTOR in amr else ACR_PASSWORD
