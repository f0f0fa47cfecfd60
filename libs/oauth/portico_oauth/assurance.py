"""How somebody signed in: `amr` values (RFC 8176) and the `acr` levels Portico publishes."""

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


def acr_of(amr: Collection[str]) -> str:
    """The level reached by what was done: always one of the published values."""
    if HARDWARE_KEY in amr:
        return ACR_PHISHING_RESISTANT
    return ACR_MULTI_FACTOR if MULTI_FACTOR in amr else ACR_PASSWORD
