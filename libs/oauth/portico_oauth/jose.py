"""JOSE helpers over PyJWT and cryptography: the key chooses the algorithm, never the token (P7, JW-02).

`SigningKey` signs with PyJWT's encoder, `VerificationKey` verifies with its algorithms but reads the token itself, since
PyJWT's decoder accepts tokens of more than one meaning (decision 0033). Both are loaded once, not parsed per call.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from dataclasses import dataclass
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_der_private_key
from jwt import PyJWTError
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm
from jwt.api_jws import PyJWS

from portico_oauth.json_depth import is_deeper, may_be_deeper
from portico_oauth.opaque import b64url

PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey
PublicKey = rsa.RSAPublicKey | ec.EllipticCurvePublicKey | ed25519.Ed25519PublicKey

ALGORITHMS: Final = ("RS256", "ES256", "EdDSA")
"""What Portico signs with, the default first."""

MAX_TOKEN: Final = 16_384
"""Characters of a JWT; a longer one is refused before parsing (JW-16)."""

MIN_RSA_BITS: Final = 2048
"""A smaller RSA key verifies nothing (RFC 7518 §3.3)."""

_PYJWT: Final[dict[str, Any]] = {
    "RS256": RSAAlgorithm(RSAAlgorithm.SHA256),
    "ES256": ECAlgorithm(ECAlgorithm.SHA256),
    "EdDSA": OKPAlgorithm(),
}

_JWS: Final = PyJWS(list(ALGORITHMS))


class MalformedToken(ValueError):
    """The text is not a JWT that this key signed. Carries no detail on purpose."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key with its id and the one algorithm it may be used with."""

    kid: str
    alg: str
    private: PrivateKey

    @classmethod
    def generate(cls, kid: str, alg: str, *, rsa_bits: int = 2048) -> SigningKey:
        """A new key for one of `ALGORITHMS`."""
        private: PrivateKey
        match alg:
            case "RS256":
                private = rsa.generate_private_key(public_exponent=65537, key_size=rsa_bits)
            case "ES256":
                private = ec.generate_private_key(ec.SECP256R1())
            case "EdDSA":
                private = ed25519.Ed25519PrivateKey.generate()
            case _:
                raise ValueError(f"no such signing algorithm: {alg}")
        return cls(kid, alg, private)

    @classmethod
    def load(cls, kid: str, alg: str, der: bytes) -> SigningKey:
        """Reads an unencrypted PKCS #8 key in DER that was made by `generate` and came sealed.

        Such a key is not examined once more: whether its numbers are primes takes as long to find out as a hundred
        signatures, during which a replica answers no request, and what came out of a seal is what was put in.
        """
        private = load_der_private_key(der, None, unsafe_skip_rsa_key_validation=True)
        if not isinstance(private, rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey):
            raise ValueError("not a signing key")
        return cls(kid, alg, private)

    def der(self) -> bytes:
        """The private key as PKCS #8 in DER. Seal it before it goes anywhere."""
        return self.private.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())

    def sign(self, claims: bytes, *, typ: str = "JWT") -> str:
        """A compact JWS over encoded claims (RFC 7515 §3.1)."""
        return _JWS.encode(claims, self.private, self.alg, headers={"kid": self.kid, "typ": typ})

    def public_jwk(self) -> dict[str, str]:
        """The public half as a JWK with kid, use and alg (RFC 7517)."""
        jwk: dict[str, Any] = _PYJWT[self.alg].to_jwk(self.private.public_key(), as_dict=True)
        jwk.pop("key_ops", None)
        return {**jwk, "kid": self.kid, "use": "sig", "alg": self.alg}


@dataclass(frozen=True, slots=True)
class VerificationKey:
    """A public key with its id and the one algorithm it may verify."""

    kid: str
    alg: str
    public: PublicKey

    @classmethod
    def from_jwk(cls, jwk: dict[str, Any]) -> VerificationKey:
        """Reads a public JWK that names kid and alg.

        Raises:
            ValueError: when it is incomplete, private, too weak, or not of the kind its alg needs (JW-02).
        """
        try:
            public = _PYJWT[jwk["alg"]].from_jwk(jwk)
            kid = jwk["kid"]
        except (KeyError, TypeError, PyJWTError) as error:
            raise ValueError("not a public key with kid and alg") from error
        if not isinstance(kid, str) or not _fits(public, jwk["alg"]):
            raise ValueError("not a public key of the kind its alg needs")
        return cls(kid, jwk["alg"], public)

    def verify(self, token: str) -> dict[str, Any]:
        """The claims of a JWT this key signed.

        Checks form, algorithm, `crit` (any is refused, JW-05) and signature; time and audience are the
        caller's rules.

        Raises:
            MalformedToken: for everything else.
        """
        header, signed, signature, payload = _split(token)
        if header.get("alg") != self.alg or "crit" in header or "b64" in header:
            raise MalformedToken
        if not _PYJWT[self.alg].verify(signed, self.public, signature):
            raise MalformedToken
        return _json_object(payload)

    def verify_payload(self, token: str) -> bytes:
        """The payload of a JWT whose header is, letter for letter, one that `verify` accepted with this key.

        The signature covers that header and the payload, so neither is read again; what `verify` refuses of a payload cannot
        be in one that we signed.

        Raises:
            MalformedToken: when this key did not sign it.
        """
        signed, _, tail = token.rpartition(".")
        if not _PYJWT[self.alg].verify(signed.encode(), self.public, _decode(tail)):
            raise MalformedToken
        return _decode(signed.partition(".")[2])


def unverified_header(token: str) -> dict[str, Any]:
    """The header of a compact JWS, good for finding the key by `kid` and nothing else."""
    return _split(token)[0]


def unverified_claims(token: str) -> dict[str, Any]:
    """The claims of a compact JWS, good for finding whose it claims to be and nothing else.

    Raises:
        MalformedToken: when it is none.
    """
    return _json_object(_split(token)[3])


def key_id_in(token: str) -> str | None:
    """The `kid` in the header of a compact JWS; None when there is none or this is no JWS."""
    try:
        kid = unverified_header(token).get("kid")
    except MalformedToken:
        return None
    return kid if isinstance(kid, str) else None


def token_hash(token: str, alg: str = "RS256") -> str:
    """`at_hash`: the left half of the hash that belongs to the id_token's algorithm (OIDC Core §3.1.3.6).

    SHA-256 for RS256 and ES256; SHA-512 for EdDSA, the hash Ed25519 itself uses (RFC 8032 §5.1).
    """
    digest = (hashlib.sha512 if alg == "EdDSA" else hashlib.sha256)(token.encode("ascii")).digest()
    return b64url(digest[: len(digest) // 2])


def _fits(public: object, alg: str) -> bool:
    match public:
        case rsa.RSAPublicKey():
            return alg == "RS256" and public.key_size >= MIN_RSA_BITS
        case ec.EllipticCurvePublicKey():
            return alg == "ES256" and isinstance(public.curve, ec.SECP256R1)
        case ed25519.Ed25519PublicKey():
            return alg == "EdDSA"
        case _:
            return False


def _split(token: str) -> tuple[dict[str, Any], bytes, bytes, bytes]:
    if len(token) > MAX_TOKEN or token.count(".") != 2 or not token.isascii():
        raise MalformedToken
    head, body, tail = token.split(".")
    return _json_object(_decode(head)), f"{head}.{body}".encode(), _decode(tail), _decode(body)


def _decode(part: str) -> bytes:
    try:
        data = base64.b64decode(part + "=" * (-len(part) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise MalformedToken from error
    # One text per value: trailing bits and padding would give a token several spellings (JW-14).
    if b64url(data) != part:
        raise MalformedToken
    return data


def _json_object(data: bytes) -> dict[str, Any]:
    try:
        # Decoded here, because `json.loads` would guess UTF-16 and UTF-32 as well.
        value = json.loads(data.decode(), parse_constant=_refuse_constant, object_pairs_hook=_unique)
        if b"\\u" in data:
            json.dumps(value, ensure_ascii=False).encode()  # fails on lone surrogates, which no store can hold
    except (ValueError, RecursionError) as error:
        raise MalformedToken from error
    if not isinstance(value, dict) or (may_be_deeper(data) and is_deeper(value)):
        raise MalformedToken
    return value


def _refuse_constant(name: str) -> float:
    raise ValueError(name)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # RFC 7515 §4, RFC 7519 §4: of two members of one name different readers would take different ones.
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError
    return members


__all__ = [
    "ALGORITHMS",
    "MAX_TOKEN",
    "MalformedToken",
    "SigningKey",
    "VerificationKey",
    "key_id_in",
    "token_hash",
    "unverified_claims",
    "unverified_header",
]
