from __future__ import annotations

from collections.abc import Collection
from typing import Final

PASSWORD: Final = "pwd"
ONE_TIME_CODE: Final = "otp"
HARDWARE_KEY: Final = "hwk"
USER_PRESENCE: Final = "user"
MULTI_FACTOR: Final = "mfa"

ACR_PASSWORD: Final = "urn:portico:acr:pwd"
ACR_MULTI_FACTOR: Final = "urn:portico:acr:mfa"
ACR_PHISHING_RESISTANT: Final = "urn:portico:acr:phr"

ACR_VALUES: Final = (ACR_PASSWORD, ACR_MULTI_FACTOR, ACR_PHISHING_RESISTANT)
"""Weakest first; published by discovery."""


_ORDER: Final = (PASSWORD, ONE_TIME_CODE, HARDWARE_KEY, USER_PRESENCE, MULTI_FACTOR)

WEBAUTHN: Final = (HARDWARE_KEY, USER_PRESENCE)
"""What a WebAuthn assertion proves: possession, and user presence."""


def add_second_factor(amr: Collection[str], *second: str) -> tuple[str, ...]:
    """Adds a second factor; the result includes ``mfa`` (RFC 8176 section 2)."""
    done = {*amr, *second, MULTI_FACTOR}
    return tuple(word for word in _ORDER if word in done)


def add_password(amr: Collection[str]) -> tuple[str, ...]:
    return tuple(word for word in _ORDER if word in {*amr, PASSWORD})


def level_of(acr: str) -> int:
    """Returns the strength of a level, from 1; 0 for an unpublished one."""
    return ACR_VALUES.index(acr) + 1 if acr in ACR_VALUES else 0


def acr_claim(reached: str, named: Collection[str]) -> str:
    """Returns the strongest reached level that the application requested, else the reached level."""
    fitting = [acr for acr in ACR_VALUES if acr in named and level_of(acr) <= level_of(reached)]
    return fitting[-1] if fitting else reached


def acr_of(amr: Collection[str]) -> str:
    if HARDWARE_KEY in amr:
        return ACR_PHISHING_RESISTANT
    return ACR_MULTI_FACTOR if MULTI_FACTOR in amr else ACR_PASSWORD
