"""The claims of an assertion: required ones, JSON types, and the validity period (RFC 7523 section 3, JW-12)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import Enum
from typing import Any, Final, NamedTuple

from portico_contracts.diagnostics import Hint
from portico_oauth.clock_leeway import CLOCK_LEEWAY, is_issued_ahead
from portico_oauth.errors import Compared
from portico_runtime.diagnostics.shown import shown_uris

from portico_token.domain.clients import CLIENT_AUTHENTICATION


class AssertionFault(Enum):
    """The reasons that the caller may learn; until the signature is verified there is only one (P9)."""

    UNVERIFIED = "unproven"
    """An unknown key, another algorithm, an invalid signature, or not a JWT of this type."""
    CLAIMS = "claims"
    """A required claim is missing, has the wrong type, or names another subject."""
    AUDIENCE = "audience"
    VALIDITY_PERIOD = "times"
    USED = "used"
    JTI = "jti"
    """`jti` is missing, and the issuer is registered to send one."""


class InvalidAssertion(Exception):
    """`reason` is for the log only; the rest is for diagnostics."""

    def __init__(
        self, fault: AssertionFault, reason: str, given: str = "", wanted: tuple[str, ...] = (), hint: str = ""
    ) -> None:
        super().__init__(reason)
        self.fault = fault
        self.reason = reason
        self.compared = Compared(CLIENT_AUTHENTICATION, given, wanted, hint)


LONGEST: Final = 3_600
"""Maximum lifetime and age of an assertion in seconds."""

MOST_AUDIENCES: Final = 4
"""Maximum members of the `aud` of an assertion."""


_REQUIRED: Final = ("iss", "sub", "aud", "exp", "iat")
_MOST_SECONDS_SHOWN: Final = 10**9


class Claims(NamedTuple):
    """Without `iat` the assertion counts as issued when it arrives (`is_dated`: whether it states the time)."""

    iss: str
    sub: str
    aud: tuple[str, ...]
    aud_is_array: bool
    exp: int
    iat: int
    nbf: int
    jti: str
    is_dated: bool

    def earliest(self, skew: int) -> int:
        """The earliest time at which it can have been issued, and used; `skew` as in `refuse_untimely`."""
        return self.iat if self.is_dated else self.exp - LONGEST - CLOCK_LEEWAY - skew


def read_claims(claims: Mapping[str, Any], audiences: Collection[str], now: float) -> Claims:
    """Checks types: times are whole numbers, the audience is text or an array of at most `MOST_AUDIENCES`."""
    expires = _time(claims, "exp")
    issued = _time(claims, "iat") if "iat" in claims else int(now)
    return Claims(
        iss=_text(claims, "iss"),
        sub=_text(claims, "sub"),
        aud=_audience(claims.get("aud"), audiences),
        aud_is_array=isinstance(claims.get("aud"), list),
        exp=expires,
        iat=issued,
        nbf=_time(claims, "nbf") if "nbf" in claims else issued,
        jti=_text(claims, "jti") if "jti" in claims else "",
        is_dated="iat" in claims,
    )


def refuse_untimely(claims: Claims, sent: Mapping[str, Any], now: float, skew: int = 0) -> None:
    """Raises VALIDITY_PERIOD unless the assertion is valid now, was issued within the hour, and lives an hour at
    most.

    The leeway is for clocks that are ahead of ours; there is none after the expiry. `skew` is the issuer's
    registered clock skew in seconds, in either direction.
    """
    if claims.exp + skew <= now:
        raise _untimely("expired", Hint.EXPIRED, sent, now)
    if is_issued_ahead(claims.iat - skew, now) or is_issued_ahead(claims.nbf - skew, now):
        raise _untimely("not yet", Hint.NOT_YET_VALID, sent, now)
    if claims.iat < now - LONGEST - skew:
        raise _untimely("too old", Hint.TOO_OLD, sent, now)
    # Without `iat` the clock that made the expiry may be ahead; with it, both times are of one clock.
    if claims.exp - claims.iat > LONGEST + (0 if claims.is_dated else CLOCK_LEEWAY + skew):
        raise _untimely("lives too long", Hint.TOO_LONG, sent, now)


def _untimely(reason: str, hint: Hint, sent: Mapping[str, Any], now: float) -> InvalidAssertion:
    """Shows by how many seconds the times of the assertion are before or after our clock."""
    times = {name: sent[name] for name in ("exp", "iat", "nbf") if name in sent}
    given = ", ".join(f"{name} {_shown_time(value, now)}" for name, value in times.items())
    return InvalidAssertion(
        AssertionFault.VALIDITY_PERIOD, reason, given, ("exp in the future", "iat within the hour"), hint
    )


def _shown_time(moment: int, now: float) -> str:
    seconds = max(-_MOST_SECONDS_SHOWN, min(_MOST_SECONDS_SHOWN, moment - round(now)))
    return f"in {seconds} s" if seconds > 0 else f"{-seconds} s ago"


def wrong_claim(name: str) -> InvalidAssertion:
    """The error for a claim that is missing, has the wrong type, or names another subject."""
    return InvalidAssertion(AssertionFault.CLAIMS, name, name, _REQUIRED, Hint.MALFORMED)


def _text(claims: Mapping[str, Any], name: str) -> str:
    value = claims.get(name)
    if not isinstance(value, str) or not value:
        raise wrong_claim(name)
    return value


def _time(claims: Mapping[str, Any], name: str) -> int:
    value = claims.get(name)
    if type(value) is not int or value < 0:  # a bool is an int to isinstance
        raise wrong_claim(name)
    return value


def _audience(value: object, audiences: Collection[str]) -> tuple[str, ...]:
    members = value if isinstance(value, list) else [value]
    if not 0 < len(members) <= MOST_AUDIENCES:
        raise wrong_audience(f"{len(members)} members", audiences)
    if not all(isinstance(member, str) and member for member in members):
        raise wrong_audience("not text", audiences)
    return tuple(members)


def wrong_audience(reason: str, audiences: Collection[str], given: str = "") -> InvalidAssertion:
    """The error for an audience that is not accepted, or malformed."""
    return InvalidAssertion(AssertionFault.AUDIENCE, reason, given or reason, shown_uris(audiences))
