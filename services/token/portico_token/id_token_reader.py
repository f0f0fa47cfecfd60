"""Reads id_tokens of this installation that a client presents as the subject of an exchange (RFC 8693 section 2.1)."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from portico_contracts.diagnostics import Hint
from portico_oauth.clock_leeway import is_issued_ahead
from portico_oauth.jose import MalformedToken, unverified_header
from portico_runtime.process.clock import Clock

from portico_token.signing.key_ring import KeyRing
from portico_token.signing.signer import ID_TOKEN_TYPE

OLDEST: Final = 3_540
"""Seconds after which an id_token is too old, even where it has not expired. The end of access is remembered for an hour,
and clocks may differ by a minute.
"""

MAX_LENGTH: Final = 16_384


class IdToken(NamedTuple):
    """Times are in unix seconds; `auth_time` is 0 where the token has none."""

    user_id: str
    session_id: str
    issued: int
    auth_time: int
    acr: str
    amr: tuple[str, ...]


class Unusable(NamedTuple):
    """Why an id_token cannot be used: for diagnostics only."""

    hint: Hint
    given: str = ""
    wanted: str = "an id_token of this application"


class IdTokenReader:
    def __init__(self, issuer: str, ring: KeyRing, clock: Clock) -> None:
        self._issuer = issuer
        self._ring = ring
        self._clock = clock

    def read(self, text: str, client_id: str) -> IdToken | Unusable:
        """Accepts one for this client that has neither expired nor become too old. Raises TOKEN-050 without a lease."""
        claims = self._verified(text)
        if claims is None:
            return Unusable(Hint.MALFORMED)
        # One that is also for others was not issued by this release: nothing but the client is in `aud`.
        if claims.get("aud") != [client_id] or claims.get("azp") != client_id:
            return Unusable(Hint.OTHER_CLIENT)
        return self._of(claims)

    def _of(self, claims: dict[str, Any]) -> IdToken | Unusable:
        user_id, session_id = claims.get("sub"), claims.get("sid")
        issued, expires = claims.get("iat"), claims.get("exp")
        if not (isinstance(user_id, str) and isinstance(session_id, str) and session_id):
            return Unusable(Hint.MISSING, wanted="an id_token of a sign-in, with sid")
        if not (isinstance(issued, int) and isinstance(expires, int)):
            return Unusable(Hint.MALFORMED)
        now = int(self._clock.now())
        if is_issued_ahead(issued, now):
            return Unusable(Hint.NOT_YET_VALID)
        if now >= expires:
            return Unusable(Hint.EXPIRED)
        if now - issued > OLDEST:
            return Unusable(Hint.TOO_OLD, f"{now - issued} s", "iat within the hour")
        acr, amr, auth_time = claims.get("acr", ""), claims.get("amr", ()), claims.get("auth_time", 0)
        return IdToken(user_id, session_id, issued, auth_time, acr, tuple(amr))

    def _verified(self, text: str) -> dict[str, Any] | None:
        """Each kind of token is accepted only where it belongs (P7): others of our own have another `typ`."""
        if len(text) > MAX_LENGTH or not text.isascii():
            return None
        try:
            header = unverified_header(text)
            kid = header.get("kid")
            key = self._ring.find_verification_key(kid) if isinstance(kid, str) else None
            if key is None or header.get("typ") != ID_TOKEN_TYPE:
                return None
            claims = key.verify(text)
        except MalformedToken:
            return None
        return claims if claims.get("iss") == self._issuer and "events" not in claims else None
