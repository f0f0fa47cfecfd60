from __future__ import annotations

import base64
from datetime import UTC, datetime
from functools import cache

import pytest
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed448, ed25519, rsa, x25519
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes, PublicKeyTypes
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from portico_oauth.errors import ServiceError
from portico_oauth.jose import SigningKey, VerificationKey
from portico_users.applications.client_keys.assertion_keys import (
    INVALID_KEY,
    PRIVATE_KEY,
    TOO_MANY_KEYS,
    AssertionKey,
    jwk_of,
    new_kids,
    problems_of,
    public_keys,
    thumbprint,
    with_keys,
)
from portico_users.values.problems import Problem
from portico_users.values.timestamps import INVALID_TIME, unix_seconds

DSA = dsa.DSAParameterNumbers(p=2**1023 + 1, q=2**159 + 1, g=2)
P_256 = ec.generate_private_key(ec.SECP256R1())


@cache
def rsa_2048() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def pem_of(key: PublicKeyTypes, form: PublicFormat = PublicFormat.SubjectPublicKeyInfo) -> str:
    return key.public_bytes(Encoding.PEM, form).decode()


def private_pem(key: PrivateKeyTypes, form: PrivateFormat, encryption: KeySerializationEncryption | None = None) -> str:
    return key.private_bytes(Encoding.PEM, form, encryption or NoEncryption()).decode()


def some_key(kid: str, *, expires_at: float = 0.0, x: str = "x") -> AssertionKey:
    return AssertionKey(kid=kid, alg="EdDSA", jwk={"kty": "OKP", "x": x}, expires_at=expires_at)


@pytest.mark.parametrize("alg", ["RS256", "ES256", "EdDSA"])
def test_key_determines_the_algorithm(alg: str) -> None:
    """A registered key verifies signatures only by the one algorithm that fits it (JW-02)."""
    signing = SigningKey.generate("k", alg)
    jwk = jwk_of(pem_of(signing.private.public_key()))

    assert jwk["alg"] == alg
    assert VerificationKey.from_jwk({**jwk, "kid": "k"}).verify(signing.sign(b'{"iss":"c"}')) == {"iss": "c"}


def test_pkcs1_and_surrounding_blanks_are_accepted() -> None:
    """The PKCS #1 format of an RSA public key is the same key, and blanks around a PEM block are ignored."""
    public = rsa_2048().public_key()

    assert jwk_of(pem_of(public, PublicFormat.PKCS1)) == jwk_of(f"\n  {pem_of(public)}\n\n") == jwk_of(pem_of(public))


def test_private_key_is_refused() -> None:
    """A private key has its own error code: its owner must generate another pair."""
    refused = {
        "pkcs8": private_pem(rsa_2048(), PrivateFormat.PKCS8),
        "pkcs1": private_pem(rsa_2048(), PrivateFormat.TraditionalOpenSSL),
        "encrypted": private_pem(rsa_2048(), PrivateFormat.PKCS8, BestAvailableEncryption(b"x")),
        "openssh": private_pem(P_256, PrivateFormat.OpenSSH),
        "behind a public key": pem_of(P_256.public_key()) + private_pem(P_256, PrivateFormat.PKCS8),
    }

    assert {name: error_id_of(pem) for name, pem in refused.items()} == dict.fromkeys(refused, PRIVATE_KEY.id)


def test_other_keys_are_refused() -> None:
    """Keys without a supported algorithm, weak keys and slow ones are refused (JW-02, JW-08)."""
    modulus = rsa_2048().public_key().public_numbers().n
    refused = {
        "RSA 2047": pem_of(rsa.RSAPublicNumbers(65537, 2**2046 + 1).public_key()),
        "P-384": pem_of(ec.generate_private_key(ec.SECP384R1()).public_key()),
        "secp256k1": pem_of(ec.generate_private_key(ec.SECP256K1()).public_key()),
        "X25519": pem_of(x25519.X25519PrivateKey.generate().public_key()),
        "Ed448": pem_of(ed448.Ed448PrivateKey.generate().public_key()),
        "DSA": pem_of(dsa.DSAPublicNumbers(4, DSA).public_key()),
        "RSA with a slow exponent": pem_of(rsa.RSAPublicNumbers(2**64 + 1, modulus).public_key()),
        "RSA 8193": pem_of(rsa.RSAPublicNumbers(65537, 2**8192 + 1).public_key()),
        "two keys": pem_of(P_256.public_key()) * 2,
        "half a key": pem_of(P_256.public_key())[:60],
        "not a key": "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
        "certificate": "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        "OpenSSH": P_256.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode(),
        "JWK": '{"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}',
        "text": "a shared secret",
        "lone surrogate": "\ud800",
        "nothing": "",
    }

    assert {name: error_id_of(pem) for name, pem in refused.items()} == dict.fromkeys(refused, INVALID_KEY.id)


def test_long_pem_block_is_not_parsed() -> None:
    """OpenSSL checks the parameters of some types by powers, 0.4 s for 10,000 characters (RX-08)."""
    with pytest.raises(ServiceError) as refused:
        jwk_of(pem_of(rsa.RSAPublicNumbers(65537, 2**20_000 + 1).public_key()))
    largest = jwk_of(f"key of ci\n{'-' * 5_000}\n{pem_of(rsa.RSAPublicNumbers(65537, 2**8191 + 1).public_key())}")

    assert refused.value.private["cause"] == "too long"
    assert largest["alg"] == "RS256"


def test_rsa_exponent_one_is_refused() -> None:
    """With the exponent 1 everyone could sign."""
    public = rsa_2048().public_key().public_numbers()
    der = rsa.RSAPublicNumbers(3, public.n).public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    body = base64.encodebytes(der[:-1] + b"\x01").decode()

    assert error_id_of(f"-----BEGIN PUBLIC KEY-----\n{body}-----END PUBLIC KEY-----\n") == INVALID_KEY.id


def error_id_of(pem: str) -> str:
    try:
        jwk_of(pem)
    except ServiceError as error:
        return error.id
    return ""


def test_thumbprint_is_that_of_rfc_8037() -> None:
    """The default kid is the RFC 7638 thumbprint, here of RFC 8037 appendix A.3."""
    point = base64.urlsafe_b64decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo=")
    jwk = jwk_of(pem_of(ed25519.Ed25519PublicKey.from_public_bytes(point)))

    assert thumbprint(jwk) == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
    assert thumbprint({**jwk, "kid": "k"}) == thumbprint(jwk)


def test_unnamed_keys_remain() -> None:
    """A key with a known kid is replaced in place, a new one is appended, the others remain."""
    stored = (some_key("a"), some_key("b"))
    merged = with_keys(stored, [some_key("c"), some_key("a", x="other")])

    assert merged == (some_key("a", x="other"), some_key("b"), some_key("c"))
    assert new_kids(stored, merged) == ("c",)
    assert with_keys(merged, []) == merged


def test_key_expires_at_its_timestamp() -> None:
    """An expired key is not returned; a key without expiry is always returned."""
    keys = [some_key("never"), some_key("soon", expires_at=10.0)]

    assert [key.kid for key in public_keys(keys, 9.9)] == ["never", "soon"]
    assert [key.kid for key in public_keys(keys, 10.0)] == ["never"]


def test_too_many_keys_are_refused() -> None:
    """Keys are loaded with their owner, so their number is limited (MG-14)."""
    keys = [some_key(str(number)) for number in range(101)]

    assert list(problems_of(keys[:100])) == []
    assert list(problems_of(keys)) == [Problem("keys", TOO_MANY_KEYS)]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2030-01-31T12:00:00Z", datetime(2030, 1, 31, 12, tzinfo=UTC)),
        ("2030-01-31t13:30:00.5+01:30", datetime(2030, 1, 31, 12, 0, 0, 500_000, tzinfo=UTC)),
        ("2030-01-31T12:00:00.123456789-00:00", datetime(2030, 1, 31, 12, 0, 0, 123_456, tzinfo=UTC)),
    ],
)
def test_valid_timestamps(text: str, moment: datetime) -> None:
    """RFC 3339 with its offset is accepted, in any case."""
    assert unix_seconds(text) == moment.timestamp()


INVALID_TIMES = (
    "2030-01-31",
    "2030-01-31T12:00:00",
    "2030-01-31 12:00:00Z",
    "2030-W05-4T12:00:00Z",
    "20300131T120000Z",
    "2030-02-30T12:00:00Z",
    "2030-01-31T24:00:00Z",
    "2030-01-31T12:00:60Z",
    "2030-01-31T12:00:00+25:00",
    "0000-01-01T00:00:00Z",
    "٢٠٣٠-01-31T12:00:00Z",
    "2030-01-31T12:00:00Z\n",
    "1893499200",
    "tomorrow",
)


def test_invalid_timestamps() -> None:
    """All other formats are refused, so that no date is ambiguous."""
    assert {text: time_error_of(text) for text in INVALID_TIMES} == dict.fromkeys(INVALID_TIMES, INVALID_TIME.id)


def time_error_of(text: str) -> str:
    try:
        unix_seconds(text)
    except ServiceError as error:
        return error.id
    return ""
