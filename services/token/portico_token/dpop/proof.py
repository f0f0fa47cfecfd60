"""Verifies one DPoP proof without a store (RFC 9449 section 4.3). Nothing but its own key is proven."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

from cryptography.hazmat.primitives.asymmetric import rsa
from portico_contracts.diagnostics import Hint
from portico_oauth.clock_leeway import CLOCK_LEEWAY, is_issued_ahead
from portico_oauth.dpop import PROOF_ALGORITHMS, PROOF_TYPE, comparable_uri, thumbprint, token_digest
from portico_oauth.errors import ServiceError
from portico_oauth.jose import MalformedToken, VerificationKey, header_in, split_token
from portico_oauth.opaque import equal_in_constant_time
from portico_runtime.diagnostics.shown import shown_length, shown_uri

from portico_token.dpop import errors
from portico_token.dpop.errors import refused

MAX_PROOF: Final = 4_096
MAX_JTI: Final = 256
PROOF_SECONDS: Final = 60
"""How long a proof may be used after its `iat`; the clock of the client may be ahead by `CLOCK_LEEWAY`."""

_METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"})
_PRIVATE: Final = frozenset({"d", "p", "q", "dp", "dq", "qi", "oth", "k"})
_MAX_RSA_BITS: Final = 4_096
_MAX_EXPONENT: Final = 2**32
"""Larger keys only make verification slow."""
_LATEST: Final = 2**53
_KNOWN_KEYS: Final = 5_000
_SHORT_HEAD: Final = 1_000
"""Longest header whose key is stored in memory: all keys take 13 MB with ES256, and 20 MB at most."""


class Call(NamedTuple):
    """What a proof must be for.

    Attributes:
        uri: of the request, from the issuer and never from its Host header.
        access_token: at a resource; None at endpoints that issue tokens.
        skew: registered clock skew of the client in seconds, in either direction.
        algorithms: that the proof may be signed with.
        needs_nonce: the proof needs a nonce of ours.
    """

    method: str
    uri: str
    access_token: str | None = None
    skew: int = 0
    algorithms: tuple[str, ...] = PROOF_ALGORITHMS
    needs_nonce: bool = False


class Proof(NamedTuple):
    """A verified proof that may have been used before; `jkt` is the thumbprint of its key, `issued` unix seconds.

    `nonce` is the claim, unchecked; None without one.
    """

    jkt: str
    jti: str
    issued: int
    nonce: Any = None


def verify_proof(text: str, call: Call, now: float) -> Proof:
    """Raises TOKEN-302..309."""
    if len(text) > MAX_PROOF:
        raise refused(errors.MALFORMED_PROOF, shown_length(text), hint=Hint.TOO_LONG)
    try:
        split = split_token(text)
        key, jkt = _key_in(split.head, call.algorithms)
    except MalformedToken as error:
        raise refused(errors.MALFORMED_PROOF, shown_length(text), hint=Hint.MALFORMED) from error
    try:
        claims = key.claims_in(split)
    except MalformedToken as error:
        raise refused(errors.WRONG_SIGNATURE, key.alg, hint=Hint.WRONG_SIGNATURE) from error
    jti, issued = _read(claims)
    _refuse_other_call(claims, call)
    _refuse_untimely(issued, now, call.skew)
    _refuse_other_token(claims, call.access_token)
    return Proof(jkt, jti, issued, claims.get("nonce"))


def _key_in(head: str, algorithms: tuple[str, ...]) -> tuple[VerificationKey, str]:
    """Returns the key of a header and its thumbprint. Raises MalformedToken, TOKEN-303, TOKEN-304."""
    return (_known_key if len(head) <= _SHORT_HEAD else _read_key)(head, algorithms)


@lru_cache(maxsize=_KNOWN_KEYS)
def _known_key(head: str, algorithms: tuple[str, ...]) -> tuple[VerificationKey, str]:
    """Cached, because a client sends the same header with each proof; what is refused is not kept."""
    return _read_key(head, algorithms)


def _read_key(head: str, algorithms: tuple[str, ...]) -> tuple[VerificationKey, str]:
    header = header_in(head)
    key = _key_of(header, algorithms)
    if not key.accepts(header):
        raise refused(errors.WRONG_SIGNATURE, key.alg, hint=Hint.WRONG_SIGNATURE)
    return key, thumbprint(header["jwk"])


def _key_of(header: dict[str, Any], algorithms: tuple[str, ...]) -> VerificationKey:
    typ, alg, jwk = header.get("typ"), header.get("alg"), header.get("jwk")
    # RFC 7515 section 4.1.9: a media type in any case, with or without "application/".
    if not isinstance(typ, str) or typ.lower().removeprefix("application/") != PROOF_TYPE:
        raise refused(errors.WRONG_HEADER, "typ", (f"typ {PROOF_TYPE}",))
    if not isinstance(alg, str) or alg not in algorithms:
        raise refused(errors.WRONG_HEADER, "alg", tuple(f"alg {name}" for name in algorithms))
    if not isinstance(jwk, dict) or not _PRIVATE.isdisjoint(jwk) or jwk.get("alg", alg) != alg:
        raise refused(errors.WRONG_HEADER, "jwk", ("jwk with a public key alone",))
    try:
        key = VerificationKey.from_jwk({**jwk, "alg": alg, "kid": ""})
    except ValueError as error:
        raise refused(errors.WRONG_HEADER, "jwk", (f"jwk with a public key of {alg}",)) from error
    if isinstance(key.public, rsa.RSAPublicKey) and not _is_quick(key.public):
        raise refused(errors.WRONG_HEADER, "jwk", (f"jwk of at most {_MAX_RSA_BITS} bits",))
    return key


def _is_quick(public: rsa.RSAPublicKey) -> bool:
    return public.key_size <= _MAX_RSA_BITS and public.public_numbers().e < _MAX_EXPONENT


def _read(claims: dict[str, Any]) -> tuple[str, int]:
    """Returns `jti` and `iat`, after checking that the required claims have their types."""
    jti, issued = claims.get("jti"), claims.get("iat")
    texts = (("jti", MAX_JTI), ("htm", 20), ("htu", MAX_PROOF))
    for name, longest in texts:
        value = claims.get(name)
        if not isinstance(value, str) or not 0 < len(value) <= longest:
            raise refused(errors.WRONG_CLAIMS, name, hint=Hint.MALFORMED if value else Hint.MISSING)
    # Some libraries write the fraction of the second, too. A bool is an int to isinstance.
    if not isinstance(jti, str) or isinstance(issued, bool) or not isinstance(issued, int | float):
        raise _no_time(claims)
    if not 0 <= issued < _LATEST:
        raise _no_time(claims)
    return jti, int(issued)


def _no_time(claims: dict[str, Any]) -> ServiceError:
    return refused(errors.WRONG_CLAIMS, "iat", hint=Hint.MALFORMED if "iat" in claims else Hint.MISSING)


def _refuse_other_call(claims: dict[str, Any], call: Call) -> None:
    method, uri = claims["htm"], claims["htu"]
    if method != call.method:
        shown = method if method in _METHODS else shown_length(method)
        raise refused(errors.WRONG_METHOD, f"htm {shown}", (f"htm {call.method}",))
    if uri != call.uri and comparable_uri(uri) != comparable_uri(call.uri):
        raise refused(errors.WRONG_URI, f"htu {shown_uri(uri)}", (f"htu {shown_uri(call.uri)}",))


def _refuse_untimely(issued: int, now: float, skew: int) -> None:
    if is_issued_ahead(issued - skew, now):
        raise _untimely(issued, now, Hint.NOT_YET_VALID)
    if now > issued + PROOF_SECONDS + skew:
        raise _untimely(issued, now, Hint.TOO_OLD)


def _untimely(issued: int, now: float, hint: Hint) -> ServiceError:
    seconds = max(-(10**9), min(10**9, round(now) - issued))
    given = f"iat {seconds} s ago" if seconds >= 0 else f"iat in {-seconds} s"
    return refused(errors.WRONG_TIME, given, (f"iat within {PROOF_SECONDS} s",), hint)


def _refuse_other_token(claims: dict[str, Any], access_token: str | None) -> None:
    if access_token is None:
        return
    digest = claims.get("ath")
    if not isinstance(digest, str) or not equal_in_constant_time(digest, token_digest(access_token)):
        raise refused(errors.WRONG_TOKEN_DIGEST, "ath", hint=Hint.MISSING if digest is None else "")


def mark_seconds(proof: Proof, now: float, skew: int) -> int:
    """How long the proof could be presented again, and has to be remembered."""
    return max(proof.issued + PROOF_SECONDS - int(now), 0) + CLOCK_LEEWAY + 2 * skew + 1
