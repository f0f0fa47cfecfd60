"""Tokens that their issuer has not signed as they are, made from one that it has (RFC 8725 section 2)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from typing import Any, Final

from jwt import get_algorithm_by_name
from portico_oauth.jose import SigningKey
from portico_oauth.opaque import b64url

ATTACKER: Final = SigningKey.generate("attacker", "RS256")


class Parts:
    """A signed token; `public_jwk` is the key that verifies it."""

    def __init__(self, token: str, public_jwk: dict[str, Any]) -> None:
        self.token = token
        self.head, self.body, self.signature = token.split(".")
        self.header: dict[str, Any] = json.loads(_bytes(self.head))
        self.claims: dict[str, Any] = json.loads(_bytes(self.body))
        self.public_jwk = public_jwk

    def with_claims(self, **changes: Any) -> str:
        """Other claims under the same signature."""
        return f"{self.head}.{_part(self.claims | changes)}.{self.signature}"

    def with_header(self, **changes: Any) -> str:
        return f"{_part(_kept(self.header | changes))}.{self.body}.{self.signature}"

    def by_attacker(self, claims: dict[str, Any] | None = None, **changes: Any) -> str:
        """Signed with a key of an attacker, with the header of the token."""
        signed = f"{_part(_kept(self.header | changes))}.{_part(self.claims | (claims or {}))}"
        return f"{signed}.{b64url(get_algorithm_by_name('RS256').sign(signed.encode(), ATTACKER.private))}"

    def with_hmac(self, key: bytes) -> str:
        signed = f"{_part({**self.header, 'alg': 'HS256'})}.{self.body}"
        return f"{signed}.{b64url(hmac.digest(key, signed.encode(), hashlib.sha256))}"

    def unsigned(self, alg: str) -> str:
        return f"{_part({**self.header, 'alg': alg})}.{self.body}."


def _bytes(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def _part(members: dict[str, Any]) -> str:
    return b64url(json.dumps(members).encode())


def _kept(members: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not ...}


def _flipped(text: str, place: int) -> str:
    return text[:place] + ("A" if text[place] != "A" else "B") + text[place + 1 :]


_JWK: Final = ATTACKER.public_jwk()

FORGED: Final[dict[str, Callable[[Parts], str]]] = {
    "no signature": lambda t: f"{t.head}.{t.body}.",
    "another signature": lambda t: f"{t.head}.{t.body}.{t.by_attacker().rpartition('.')[2]}",
    "first byte of the signature": lambda t: f"{t.head}.{t.body}.{_flipped(t.signature, 0)}",
    "half a signature": lambda t: f"{t.head}.{t.body}.{t.signature[: len(t.signature) // 2]}",
    "subject replaced": lambda t: t.with_claims(sub="somebody-else"),
    "expiry extended": lambda t: t.with_claims(exp=t.claims["exp"] + 1),
    "claim added": lambda t: t.with_claims(admin=True),
    "alg none": lambda t: t.unsigned("none"),
    "alg None": lambda t: t.unsigned("None"),
    "alg none with the signature": lambda t: t.unsigned("none") + t.signature,
    "no alg": lambda t: t.with_header(alg=...),
    "HMAC with the public key as JSON": lambda t: t.with_hmac(json.dumps(t.public_jwk).encode()),
    "HMAC with the modulus": lambda t: t.with_hmac(_bytes(t.public_jwk["n"])),
    "HMAC with an empty key": lambda t: t.with_hmac(b""),
    "alg RS512": lambda t: t.with_header(alg="RS512"),
    "alg PS256": lambda t: t.with_header(alg="PS256"),
    "alg ES256": lambda t: t.with_header(alg="ES256"),
    "key of an attacker with the kid": lambda t: t.by_attacker(),
    "key of an attacker with a kid of its own": lambda t: t.by_attacker(kid="attacker"),
    "key of an attacker without a kid": lambda t: t.by_attacker(kid=...),
    "key of an attacker in jwk": lambda t: t.by_attacker(jwk=_JWK, kid=_JWK["kid"]),
    "key of an attacker in jku": lambda t: t.by_attacker(jku="https://attacker.example/jwks", kid="attacker"),
    "key of an attacker in x5u": lambda t: t.by_attacker(x5u="https://attacker.example/x5u", kid="attacker"),
    "kid that is a path": lambda t: t.by_attacker(kid="../../dev/null"),
    "kid that is a number": lambda t: t.with_header(kid=1),
    "critical header": lambda t: t.with_header(crit=["exp"]),
    "unencoded payload": lambda t: t.with_header(b64=False, crit=["b64"]),
    "type of an access token": lambda t: t.with_header(typ="at+jwt"),
    "issuer in another case": lambda t: t.by_attacker({"iss": t.claims["iss"].upper()}),
    "issuer with a slash": lambda t: t.by_attacker({"iss": t.claims["iss"] + "/"}),
    "issuer of the attacker": lambda t: t.by_attacker({"iss": "https://attacker.example"}, kid="attacker"),
    "more than three parts": lambda t: f"{t.token}.{t.signature}",
}
"""By what is wrong. Each has the issuer or another URL as `iss`, so that it counts as a token of a workload."""
