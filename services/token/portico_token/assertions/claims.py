"""The claims of an assertion: which there must be, of which JSON types, and when they hold (RFC 7523 §3, JW-12)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from portico_token.assertions.flaw import Flaw, Flawed

LEEWAY: Final = 10
"""Seconds the clock of an issuer may be ahead of ours."""

LONGEST: Final = 3_600
"""Seconds an assertion may live, and the age it may have."""


class Claims(NamedTuple):
    """What an assertion says. `jti` is empty where it says none."""

    iss: str
    sub: str
    aud: str
    exp: int
    iat: int
    nbf: int
    jti: str


def read_claims(claims: Mapping[str, Any]) -> Claims:
    """The claims with their types checked: times are whole numbers, there is exactly one audience.

    Raises:
        Flawed: CLAIMS, or AUDIENCE when there is none or more than one.
    """
    issued = _time(claims, "iat")
    return Claims(
        iss=_text(claims, "iss"),
        sub=_text(claims, "sub"),
        aud=_audience(claims.get("aud")),
        exp=_time(claims, "exp"),
        iat=issued,
        nbf=_time(claims, "nbf") if "nbf" in claims else issued,
        jti=_text(claims, "jti") if "jti" in claims else "",
    )


def refuse_untimely(claims: Claims, now: float, skew: int = 0) -> None:
    """Raises TIMES unless the assertion holds now, was made within the hour, and lives an hour at most.

    The leeway is for clocks that are ahead of ours; what has expired has expired.

    Args:
        skew: seconds the clock of this issuer is known to be off at most, in either direction.
    """
    if claims.exp + skew <= now:
        raise Flawed(Flaw.TIMES, "expired")
    if claims.iat > now + LEEWAY + skew or claims.nbf > now + LEEWAY + skew:
        raise Flawed(Flaw.TIMES, "not yet")
    if claims.iat < now - LONGEST - skew:
        raise Flawed(Flaw.TIMES, "too old")
    if claims.exp - claims.iat > LONGEST:
        raise Flawed(Flaw.TIMES, "lives too long")


def _text(claims: Mapping[str, Any], name: str) -> str:
    value = claims.get(name)
    if not isinstance(value, str) or not value:
        raise Flawed(Flaw.CLAIMS, name)
    return value


def _time(claims: Mapping[str, Any], name: str) -> int:
    value = claims.get(name)
    if type(value) is not int or value < 0:  # a bool is an int to isinstance
        raise Flawed(Flaw.CLAIMS, name)
    return value


def _audience(value: object) -> str:
    match value:
        case str(one) | [str(one)] if one:
            return one
        case _:
            raise Flawed(Flaw.AUDIENCE, "not exactly one")
