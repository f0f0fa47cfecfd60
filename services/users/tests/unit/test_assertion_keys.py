from __future__ import annotations

import base64
from datetime import UTC, datetime

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
from portico_oauth.errors import ErrorCode, ServiceError
from portico_oauth.jose import SigningKey, VerificationKey
from portico_users.kernel.problems import Problem
from portico_users.kernel.timestamps import INVALID_TIME, unix_seconds
from portico_users.resources.client_keys.assertion_keys import (
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

RSA_2048 = rsa.generate_private_key(public_exponent=65537, key_size=2048)
DSA = dsa.DSAParameterNumbers(p=2**1023 + 1, q=2**159 + 1, g=2)
P_256 = ec.generate_private_key(ec.SECP256R1())


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
    public = RSA_2048.public_key()

    assert jwk_of(pem_of(public, PublicFormat.PKCS1)) == jwk_of(f"\n  {pem_of(public)}\n\n") == jwk_of(pem_of(public))


@pytest.mark.parametrize(
    "pem",
    [
        private_pem(RSA_2048, PrivateFormat.PKCS8),
        private_pem(RSA_2048, PrivateFormat.TraditionalOpenSSL),
        private_pem(RSA_2048, PrivateFormat.PKCS8, BestAvailableEncryption(b"x")),
        private_pem(P_256, PrivateFormat.OpenSSH),
        pem_of(P_256.public_key()) + private_pem(P_256, PrivateFormat.PKCS8),
    ],
    ids=["pkcs8", "pkcs1", "encrypted", "openssh", "behind a public key"],
)
def test_private_key_is_refused(pem: str) -> None:
    """A private key has its own error code: its owner must generate another pair."""
    assert fact_of(pem) == PRIVATE_KEY


@pytest.mark.parametrize(
    "pem",
    [
        pem_of(rsa.RSAPublicNumbers(65537, 2**2046 + 1).public_key()),
        pem_of(ec.generate_private_key(ec.SECP384R1()).public_key()),
        pem_of(ec.generate_private_key(ec.SECP256K1()).public_key()),
        pem_of(x25519.X25519PrivateKey.generate().public_key()),
        pem_of(ed448.Ed448PrivateKey.generate().public_key()),
        pem_of(dsa.DSAPublicNumbers(4, DSA).public_key()),
        pem_of(rsa.RSAPublicNumbers(2**64 + 1, RSA_2048.public_key().public_numbers().n).public_key()),
        pem_of(rsa.RSAPublicNumbers(65537, 2**8192 + 1).public_key()),
        pem_of(P_256.public_key()) * 2,
        pem_of(P_256.public_key())[:60],
        "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        P_256.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode(),
        '{"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}',
        "a shared secret",
        "\ud800",
        "",
    ],
    ids=[
        "RSA 2047",
        "P-384",
        "secp256k1",
        "X25519",
        "Ed448",
        "DSA",
        "RSA with a slow exponent",
        "RSA 8193",
        "two keys",
        "half a key",
        "not a key",
        "certificate",
        "OpenSSH",
        "JWK",
        "text",
        "lone surrogate",
        "nothing",
    ],
)
def test_other_keys_are_refused(pem: str) -> None:
    """Keys without a supported algorithm, weak keys and slow ones are refused (JW-02, JW-08)."""
    assert fact_of(pem) == INVALID_KEY


def test_rsa_exponent_one_is_refused() -> None:
    """With the exponent 1 everyone could sign."""
    public = RSA_2048.public_key().public_numbers()
    der = rsa.RSAPublicNumbers(3, public.n).public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    body = base64.encodebytes(der[:-1] + b"\x01").decode()

    assert fact_of(f"-----BEGIN PUBLIC KEY-----\n{body}-----END PUBLIC KEY-----\n") == INVALID_KEY


def fact_of(pem: str) -> ErrorCode:
    with pytest.raises(ServiceError) as refused:
        jwk_of(pem)
    return next(error_code for error_code in (PRIVATE_KEY, INVALID_KEY) if error_code.id == refused.value.id)


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


@pytest.mark.parametrize(
    "text",
    [
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
    ],
)
def test_invalid_timestamps(text: str) -> None:
    """All other formats are refused, so that no date is ambiguous."""
    with pytest.raises(ServiceError) as refused:
        unix_seconds(text)

    assert refused.value.id == INVALID_TIME.id
