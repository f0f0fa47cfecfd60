"""Nonces of DPoP proofs without a store (RFC 9449 sections 8 and 9).

A nonce is the minute it was made in, and a MAC of it with a key that all replicas have. It makes no proof unique, which
its `jti` does: it shows that the proof was signed now, and not in advance by a thief who could use the key for a while.
"""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64decode
from collections.abc import Callable, Sequence
from typing import Any, Final

from portico_contracts.diagnostics import Hint
from portico_oauth.opaque import b64url, equal_in_constant_time
from portico_runtime.process.clock import Clock
from starlette.requests import Request

from portico_token.dpop.errors import STALE_NONCE, refused

NONCE: Final = "portico.dpop_nonce"
"""Key of a request's scope: the nonce of its response."""

NONCE_MINUTES: Final = 5
"""How long a nonce is accepted after its minute; and for a minute before it, because the clocks of replicas differ."""

_MINUTE: Final = 60
_STAMP_BYTES: Final = 4
_MAC_BYTES: Final = 16
_NONCE: Final = re.compile(r"[A-Za-z0-9_-]{27}\Z")


class Nonces:
    def __init__(self, keys: Callable[[], Sequence[bytes]], clock: Clock) -> None:
        """`keys` returns those for MACs, the one for new nonces first; it raises TOKEN-050 without one."""
        self._keys = keys
        self._clock = clock

    def current(self) -> str:
        return _nonce(self._keys()[0], self._minute())

    def send(self, request: Request) -> None:
        """Has the response of the request carry the current nonce, which the next proof can use (section 8.2)."""
        request.scope[NONCE] = self.current()

    def refuse_others(self, sent: Any) -> None:
        """Raises TOKEN-311, with a nonce to use, for a claim of a proof that is not a nonce of the last minutes."""
        hint = Hint.MISSING if sent is None else self._fault_of(sent)
        if hint:
            error = refused(STALE_NONCE, "nonce", ("the nonce of the header DPoP-Nonce",), hint)
            error.private["dpop_nonce"] = self.current()
            raise error

    def _fault_of(self, sent: Any) -> str:
        if not isinstance(sent, str) or not _NONCE.match(sent):
            return Hint.UNKNOWN
        minute = int.from_bytes(urlsafe_b64decode(f"{sent}=")[:_STAMP_BYTES], "big")
        if not any(equal_in_constant_time(sent, _nonce(key, minute)) for key in self._keys()):
            return Hint.UNKNOWN
        return "" if -1 <= self._minute() - minute <= NONCE_MINUTES else Hint.TOO_OLD

    def _minute(self) -> int:
        return int(self._clock.now()) // _MINUTE


def _nonce(key: bytes, minute: int) -> str:
    stamp = minute.to_bytes(_STAMP_BYTES, "big")
    return b64url(stamp + hmac.digest(key, stamp, "sha256")[:_MAC_BYTES])
