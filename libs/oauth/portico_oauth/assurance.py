"""How an end user authenticated: `amr` values (RFC 8176) and the `acr` levels Portico publishes."""

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
"""Weakest first; what discovery publishes."""


_ORDER: Final = (PASSWORD, ONE_TIME_CODE, HARDWARE_KEY, USER_PRESENCE, MULTI_FACTOR)

WEBAUTHN: Final = (HARDWARE_KEY, USER_PRESENCE)
"""What an assertion of an authenticator verifies (WebAuthn): its possession, and a touch (user presence)."""


def add_second_factor(amr: Collection[str], *second: str) -> tuple[str, ...]:
    """What was done, with a second factor: several factors from now on (RFC 8176 §2)."""
    done = {*amr, *second, MULTI_FACTOR}
    return tuple(word for word in _ORDER if word in done)


def add_password(amr: Collection[str]) -> tuple[str, ...]:
    """What was done, with the password."""
    return tuple(word for word in _ORDER if word in {*amr, PASSWORD})


def level_of(acr: str) -> int:
    """How strong a level is: the higher the stronger; 0 for one that is not published."""
    return ACR_VALUES.index(acr) + 1 if acr in ACR_VALUES else 0


def acr_claim(reached: str, named: Collection[str]) -> str:
    """The level an application is informed of: the strongest it named that was reached, else the one that was reached.

    A stronger authentication includes a weaker one, and an application may know no other names.
    """
    fitting = [acr for acr in ACR_VALUES if acr in named and level_of(acr) <= level_of(reached)]
    return fitting[-1] if fitting else reached


def acr_of(amr: Collection[str]) -> str:
    """The level reached by what was done: always one of the published values."""
    if HARDWARE_KEY in amr:
        return ACR_PHISHING_RESISTANT
    return ACR_MULTI_FACTOR if MULTI_FACTOR in amr else ACR_PASSWORD
