from __future__ import annotations

from typing import Any, Final, Protocol

import msgspec

from portico_token.signing.key_ring import KeyRing

ACCESS_TOKEN_TYPE: Final = "at+jwt"
ID_TOKEN_TYPE: Final = "JWT"

_encode = msgspec.json.Encoder().encode


class SignsTokens(Protocol):
    def sign(self, claims: dict[str, Any], alg: str, typ: str, /) -> str: ...


class Signer:
    def __init__(self, ring: KeyRing) -> None:
        self._ring = ring

    def refuse_without_key(self, alg: str) -> None:
        """Raises TOKEN-050 when no key of this algorithm can sign now: call it before anything is consumed."""
        self._ring.signing_key(alg)

    def sign(self, claims: dict[str, Any], alg: str, typ: str) -> str:
        """Raises TOKEN-050 without a key."""
        return self._ring.signing_key(alg).sign(_encode(claims), typ=typ)
