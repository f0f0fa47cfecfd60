"""JWTs with as little as possible around the signature: the header is prepared once."""

from __future__ import annotations

from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from portico_oauth.jose import SigningKey
from portico_oauth.opaque import b64url

ALGORITHMS: Final = ("RS256", "ES256")
_COORDINATE: Final = 32
_encode = msgspec.json.Encoder().encode


class Signer:
    """Signs with one fresh key."""

    def __init__(self, alg: str) -> None:
        self.key = SigningKey.generate(f"limit-{alg}", alg)
        self._head = b64url(msgspec.json.encode({"alg": alg, "kid": self.key.kid, "typ": "JWT"})).encode() + b"."

    def sign(self, claims: dict[str, object]) -> str:
        """A compact JWS."""
        signed = self._head + b64url(_encode(claims)).encode()
        return f"{signed.decode()}.{b64url(self.signature(signed))}"

    def signature(self, data: bytes) -> bytes:
        """The signature alone, in the form of RFC 7518."""
        match self.key.private:
            case rsa.RSAPrivateKey() as private:
                return private.sign(data, padding.PKCS1v15(), SHA256())
            case ec.EllipticCurvePrivateKey() as private:
                r, s = decode_dss_signature(private.sign(data, ec.ECDSA(SHA256())))
                return r.to_bytes(_COORDINATE, "big") + s.to_bytes(_COORDINATE, "big")
        raise TypeError(self.key.alg)


class Verifier:
    """Verifies what an RS256 signer signed."""

    def __init__(self, signer: Signer) -> None:
        public = signer.key.private.public_key()
        if not isinstance(public, rsa.RSAPublicKey):
            raise TypeError(signer.key.alg)
        self._public = public

    def verify(self, data: bytes, signature: bytes) -> None:
        """Raises InvalidSignature when it is not right."""
        self._public.verify(signature, data, padding.PKCS1v15(), SHA256())
