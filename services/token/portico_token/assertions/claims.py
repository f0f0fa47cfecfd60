"""The claims of an assertion: which are required, their JSON types, and the validity period (RFC 7523 §3, JW-12)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from portico_oauth.clock_leeway import is_issued_ahead

from portico_token.assertions.invalid_assertion import AssertionFault, InvalidAssertion

LONGEST: Final = 3_600
"""Seconds an assertion may live, and the age it may have."""

MOST_AUDIENCES: Final = 4
"""Members the `aud` of an assertion may have."""


class Claims(NamedTuple):
    """The claims of an assertion.

    Attributes:
        aud: every member of the array, or the one string.
        aud_is_array: the claim was written as an array.
        iat: of an assertion without one the earliest time it may have been issued, so that the same rules limit its expiry.
        jti: empty where there is none.
    """

    iss: str
    sub: str
    aud: tuple[str, ...]
    aud_is_array: bool
    exp: int
    iat: int
    nbf: int
    jti: str


def read_claims(claims: Mapping[str, Any]) -> Claims:
    """The claims with their types checked: times are whole numbers, the audience is text or a short array of it.

    Raises:
        InvalidAssertion: CLAIMS, or AUDIENCE when there is none, or more than `MOST_AUDIENCES`.
    """
    expires = _time(claims, "exp")
    issued = _time(claims, "iat") if "iat" in claims else expires - LONGEST
    return Claims(
        iss=_text(claims, "iss"),
        sub=_text(claims, "sub"),
        aud=_audience(claims.get("aud")),
        aud_is_array=isinstance(claims.get("aud"), list),
        exp=expires,
        iat=issued,
        nbf=_time(claims, "nbf") if "nbf" in claims else issued,
        jti=_text(claims, "jti") if "jti" in claims else "",
    )


def refuse_untimely(claims: Claims, now: float, skew: int = 0) -> None:
    """Raises VALIDITY_PERIOD unless the assertion is valid now, was issued within the hour, and lives an hour at most.

    The leeway is for clocks that are ahead of ours; there is none after the expiry.

    Args:
        skew: registered clock skew of the issuer in seconds, in either direction.
    """
    if claims.exp + skew <= now:
        raise InvalidAssertion(AssertionFault.VALIDITY_PERIOD, "expired")
    if is_issued_ahead(claims.iat - skew, now) or is_issued_ahead(claims.nbf - skew, now):
        raise InvalidAssertion(AssertionFault.VALIDITY_PERIOD, "not yet")
    if claims.iat < now - LONGEST - skew:
        raise InvalidAssertion(AssertionFault.VALIDITY_PERIOD, "too old")
    if claims.exp - claims.iat > LONGEST:
        raise InvalidAssertion(AssertionFault.VALIDITY_PERIOD, "lives too long")


def _text(claims: Mapping[str, Any], name: str) -> str:
    value = claims.get(name)
    if not isinstance(value, str) or not value:
        raise InvalidAssertion(AssertionFault.CLAIMS, name)
    return value


def _time(claims: Mapping[str, Any], name: str) -> int:
    value = claims.get(name)
    if type(value) is not int or value < 0:  # a bool is an int to isinstance
        raise InvalidAssertion(AssertionFault.CLAIMS, name)
    return value


def _audience(value: object) -> tuple[str, ...]:
    members = value if isinstance(value, list) else [value]
    if not 0 < len(members) <= MOST_AUDIENCES:
        raise InvalidAssertion(AssertionFault.AUDIENCE, f"{len(members)} members")
    if not all(isinstance(member, str) and member for member in members):
        raise InvalidAssertion(AssertionFault.AUDIENCE, "not text")
    return tuple(members)
