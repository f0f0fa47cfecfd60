"""Verifies an assertion: signed by a registered key, issued by its subject, for this audience, valid now, used once.

Nothing in the token chooses key type or algorithm (JW-02, JW-08); every audience must be acceptable alone
(JW-09, decision 0027). Without a `jti`, the signed input identifies the assertion rather than the whole text,
because an ECDSA signature can be transformed into another valid one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Final

from portico_contracts.diagnostics import Hint
from portico_contracts.users import AuthMethod, PublicKey
from portico_oauth.clock_leeway import CLOCK_LEEWAY
from portico_oauth.errors import Compared
from portico_oauth.jose import MalformedToken, key_id_in, unverified_claims, unverified_header
from portico_oauth.opaque import fingerprint
from portico_runtime.diagnostics.shown import MOST_WANTED, shown_uri
from portico_runtime.process.clock import Clock

from portico_token.assertions.claims import (
    AssertionFault,
    Claims,
    InvalidAssertion,
    read_claims,
    refuse_untimely,
    wrong_audience,
    wrong_claim,
)
from portico_token.assertions.keys import ParsedKeys
from portico_token.domain.assertions import Assertion, AssertionStore, ClaimResult
from portico_token.domain.clients import CLIENT_AUTHENTICATION

_KINDS: Final = frozenset({"jwt", "client-authentication+jwt"})
"""Accepted values of `typ`; any other belongs to another kind of token (P7)."""


@dataclass(frozen=True, slots=True)
class Expected:
    """Expected properties of an assertion.

    Args:
        audiences: the accepted values; every member of an array must be one of them.
        skew: registered clock skew in seconds, added to the general leeway.
        repeats: for client authentication only: an assertion without `jti` may be presented again within
            `REPEAT_SECONDS`.
    """

    subject: str
    keys: tuple[PublicKey, ...]
    audiences: Collection[str]
    skew: int = 0
    one_audience: bool = False
    jti_required: bool = False
    repeats: bool = False


class Assertions:
    def __init__(self, store: AssertionStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._keys = ParsedKeys()

    async def accept(self, text: str, expected: Expected, ready: Callable[[], None] = lambda: None) -> None:
        """Verifies and claims an assertion; `unavailable` when the store cannot decide whether it was used before.

        It is not used up where `ready` raises.
        """
        assertion = self.verify(text, expected)
        ready()
        now = self._clock.now()
        seconds = max(assertion.expires - int(now), 0) + CLOCK_LEEWAY + expected.skew
        claimed = await self._store.claim(assertion, seconds, now)
        if claimed not in (ClaimResult.FIRST, ClaimResult.REPEATED):
            wanted = ("a new assertion for each request",)
            raise InvalidAssertion(AssertionFault.USED, claimed.name.lower(), wanted=wanted, hint=Hint.USED_BEFORE)

    def verify(self, text: str, expected: Expected) -> Assertion:
        """Verifies everything except that it is presented for the first time."""
        now = self._clock.now()
        sent = self._signed_claims(text, expected, now)
        claims = read_claims(sent, expected.audiences, now)
        if claims.iss != expected.subject or claims.sub != expected.subject:
            raise wrong_claim("iss or sub")
        _refuse_audience(claims, expected)
        refuse_untimely(claims, sent, now, expected.skew)
        if expected.jti_required and not claims.jti:
            raise InvalidAssertion(AssertionFault.JTI, "missing", wanted=("jti",), hint=Hint.MISSING)
        name = f"jti:{claims.jti}" if claims.jti else f"signed:{text.rpartition('.')[0]}"
        repeats = expected.repeats and not claims.jti
        return Assertion(
            issuer=claims.iss,
            name=fingerprint(f"{claims.iss}\n{name}"),
            issued=claims.iat,
            earliest=claims.earliest(expected.skew),
            expires=claims.exp,
            repeats=repeats,
        )

    def _signed_claims(self, text: str, expected: Expected, now: float) -> dict[str, Any]:
        try:
            header = unverified_header(text)
            key = self._keys.find(expected.keys, header, now)
            if key is None or not is_assertion_type(header.get("typ", "JWT")):
                raise self._unverified("kid or typ", text, expected.keys)
            return key.verify(text)
        except MalformedToken as error:
            raise self._unverified("signature", text, expected.keys) from error

    def _unverified(self, reason: str, text: str, keys: tuple[PublicKey, ...]) -> InvalidAssertion:
        _, given, wanted, hint = self.compare_keys(text, keys)
        return InvalidAssertion(AssertionFault.UNVERIFIED, reason, given, wanted, hint)

    def compare_keys(self, text: str, keys: tuple[PublicKey, ...]) -> Compared:
        """Why no registered key verifies an assertion: none has its kid, the key expired, or the signature is wrong."""
        kid = key_id_in(text)
        named = [key for key in keys if kid is None or key.kid == kid]
        hint = Hint.WRONG_SIGNATURE if len(named) == 1 else Hint.NO_KEY
        if named and all(key.expires_at and self._clock.now() >= key.expires_at for key in named):
            hint = Hint.KEY_EXPIRED
        wanted = tuple(f"{key.alg} kid={key.kid[:40]}" for key in keys[:MOST_WANTED])
        return Compared(CLIENT_AUTHENTICATION, AuthMethod.PRIVATE_KEY_JWT.value, wanted, hint)


def issuer_of(text: str) -> str:
    """Returns the unverified issuer, only to find the keys that verify it. Empty without `iss`."""
    return parties_of(text)[0]


def parties_of(text: str) -> tuple[str, str]:
    """Returns the unverified issuer and subject, only to find the client and its keys. Empty where there is none."""
    try:
        claims = unverified_claims(text)
    except MalformedToken:
        return "", ""
    issuer, subject = claims.get("iss"), claims.get("sub")
    return issuer if isinstance(issuer, str) else "", subject if isinstance(subject, str) else ""


def _refuse_audience(claims: Claims, expected: Expected) -> None:
    foreign = [audience for audience in claims.aud if audience not in expected.audiences]
    if foreign:
        raise wrong_audience(foreign[0][:200], expected.audiences, shown_uri(foreign[0]))
    if expected.one_audience and claims.aud_is_array:
        raise wrong_audience("an array", expected.audiences)


def is_assertion_type(typ: object) -> bool:
    # RFC 7515 section 4.1.9: a media type in any case, with or without "application/".
    return isinstance(typ, str) and typ.lower().removeprefix("application/") in _KINDS
