"""Private keys that sign Portico's requests to identity providers."""

from __future__ import annotations

import json
import time
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from joserfc.jwk import RSAKey
from jwt.algorithms import RSAAlgorithm
from jwt.utils import to_base64url_uint
from portico_oauth.errors import ServiceError
from portico_users.identity_providers.signing_keys import UNUSABLE_KEY, read_signing_key

_RSA: Final[dict[str, Any]] = dict(RSAKey.generate_key(2048, {"kid": "rsa"}).as_dict(private=True))
_WITHOUT_FACTORS: Final = {name: value for name, value in _RSA.items() if name not in ("p", "q", "dp", "dq", "qi")}


def _text(number: int) -> str:
    return to_base64url_uint(number).decode()


def _refusal(text: str, alg: str = "") -> str:
    with pytest.raises(ServiceError) as refused:
        read_signing_key(text, alg, is_examined=True)
    return refused.value.id


@pytest.mark.parametrize("alg", ["", "ES256"])
def test_key_without_prime_factors_is_refused_at_once(alg: str) -> None:
    """With a prime as modulus there are no factors to find: the search took seconds, and minutes with more bits
    (RX-08).
    """
    prime = 2**1279 - 1
    hostile = {"kty": "RSA", "n": _text(prime), "e": "AQAB", "d": _text(pow(65537, -1, prime - 1))}
    began = time.process_time()
    refused = {_refusal(json.dumps(key), alg) for key in (hostile, _WITHOUT_FACTORS)}

    assert refused == {UNUSABLE_KEY.id}
    assert time.process_time() - began < 1.0


def test_stored_key_without_prime_factors_is_read() -> None:
    """Earlier versions accepted and stored such keys."""
    key = read_signing_key(json.dumps(_WITHOUT_FACTORS))

    assert (key.kid, key.alg, key.public_jwk()["n"]) == ("rsa", "RS256", _RSA["n"])


@pytest.mark.parametrize("changed", ["d", "dp", "dq", "qi"])
def test_key_with_wrong_numbers_is_refused(changed: str) -> None:
    """The numbers of a new key are examined, also those of a JWK."""
    assert _refusal(json.dumps({**_RSA, changed: "Aw"})) == UNUSABLE_KEY.id
    assert read_signing_key(json.dumps(_RSA), is_examined=True).kid == "rsa"


def test_numbers_of_a_stored_key_are_not_examined_again() -> None:
    """Examining 8192 bits takes 3 s of each sign-in (RX-08)."""
    assert read_signing_key(json.dumps({**_RSA, "qi": "Aw"})).kid == "rsa"


def test_type_is_checked_before_the_numbers() -> None:
    """Examining a large RSA key for apple took a second before it was refused (RX-08)."""
    p, q = 2**4253 - 1, 2**4423 - 1
    numbers = rsa.RSAPublicNumbers(65537, p * q)
    d = pow(65537, -1, (p - 1) * (q - 1))
    crt = rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q)
    large = rsa.RSAPrivateNumbers(p, q, d, *crt, numbers).private_key(unsafe_skip_rsa_key_validation=True)
    texts = [
        large.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode(),
        json.dumps(RSAAlgorithm.to_jwk(large, as_dict=True)),
    ]
    began = time.process_time()
    refused = {_refusal(text, alg) for text in texts for alg in ("", "ES256")}

    assert refused == {UNUSABLE_KEY.id}
    assert time.process_time() - began < 1.0


def test_long_text_is_not_parsed_as_a_p256_key() -> None:
    """A key for apple has 257 characters; OpenSSL computes powers for some other types as it reads them (RX-08)."""
    private = ec.generate_private_key(ec.SECP256R1())
    pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()

    assert _refusal(pem + "\n" * 2_000, "ES256") == UNUSABLE_KEY.id
    assert read_signing_key(pem, "ES256", is_examined=True).alg == "ES256"
