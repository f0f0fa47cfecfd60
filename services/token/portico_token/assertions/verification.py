"""Believing an assertion: signed by a registered key, about its issuer, for us, now, and for the first time.

Easy to get wrong: nothing of the token chooses key kind or algorithm (JW-02, JW-08); the audience is one value,
compared whole (JW-09); where there is no `jti`, what was signed is the name, not the text with its signature, for
an ECDSA signature can be changed into another one that fits.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from portico_contracts.users import PublicKey
from portico_oauth.jose import NotAToken, unverified_claims, unverified_header
from portico_oauth.opaque import fingerprint
from portico_runtime.clock import Clock

from portico_token.assertions.claims import LEEWAY, read_claims, refuse_untimely
from portico_token.assertions.flaw import Flaw, Flawed
from portico_token.assertions.keys import ParsedKeys
from portico_token.domain.assertions import Assertion, AssertionStore, Claimed

_KINDS: Final = frozenset({"jwt", "client-authentication+jwt"})
"""Values of `typ` an assertion may have; any other says that it is another kind of token (P7)."""


@dataclass(frozen=True, slots=True)
class Expected:
    """Whose assertion it must be.

    Args:
        subject: must be issuer and subject.
        keys: what that subject has registered.
        audiences: the values one of which must be the audience.
        skew: seconds its clock may be off besides the leeway for all.
    """

    subject: str
    keys: tuple[PublicKey, ...]
    audiences: Collection[str]
    skew: int = 0


class Assertions:
    """Verifies assertions and uses them up."""

    def __init__(self, store: AssertionStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._keys = ParsedKeys()

    async def accept(self, text: str, expected: Expected) -> None:
        """Believes an assertion, once.

        Raises:
            Flawed: when it is not to be believed.
            Refusal: `unavailable` when it cannot be known whether it was used before.
        """
        assertion = self.verify(text, expected)
        seconds = max(assertion.expires - int(self._clock.now()), 0) + LEEWAY + expected.skew
        claimed = await self._store.claim(assertion, seconds)
        if claimed is not Claimed.FIRST:
            raise Flawed(Flaw.USED, claimed.name.lower())

    def verify(self, text: str, expected: Expected) -> Assertion:
        """Everything but the claim that it is presented for the first time.

        Raises:
            Flawed: when it is not to be believed.
        """
        now = self._clock.now()
        claims = read_claims(self._signed_claims(text, expected, now))
        if claims.iss != expected.subject or claims.sub != expected.subject:
            raise Flawed(Flaw.CLAIMS, "iss or sub")
        if claims.aud not in expected.audiences:
            raise Flawed(Flaw.AUDIENCE, claims.aud[:200])
        refuse_untimely(claims, now, expected.skew)
        name = f"jti:{claims.jti}" if claims.jti else f"signed:{text.rpartition('.')[0]}"
        return Assertion(claims.iss, fingerprint(f"{claims.iss}\n{name}"), claims.iat, claims.exp)

    def _signed_claims(self, text: str, expected: Expected, now: float) -> dict[str, Any]:
        try:
            header = unverified_header(text)
            key = self._keys.find(expected.keys, header.get("kid"), now)
            if key is None or not _is_assertion(header.get("typ", "JWT")):
                raise Flawed(Flaw.UNPROVEN, "kid or typ")
            return key.verify(text)
        except NotAToken as error:
            raise Flawed(Flaw.UNPROVEN, "signature") from error


def issuer_of(text: str) -> str:
    """Whose assertion it says it is: good for finding the keys, nothing else. Empty when it does not say."""
    try:
        issuer = unverified_claims(text).get("iss")
    except NotAToken:
        return ""
    return issuer if isinstance(issuer, str) else ""


def _is_assertion(typ: object) -> bool:
    # RFC 7515 §4.1.9: a media type, in any case, its "application/" left out or not.
    return isinstance(typ, str) and typ.lower().removeprefix("application/") in _KINDS
