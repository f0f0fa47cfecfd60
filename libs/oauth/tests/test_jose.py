from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st
from portico_oauth.jose import (
    ALGORITHMS,
    MAX_TOKEN,
    MalformedToken,
    SigningKey,
    VerificationKey,
    key_id_in,
    token_hash,
    unverified_header,
)
from portico_oauth.opaque import b64url

KEYS = {alg: SigningKey.generate(f"k-{alg}", alg) for alg in ALGORITHMS}
VERIFIERS = {alg: VerificationKey.from_jwk(key.public_jwk()) for alg, key in KEYS.items()}
CLAIMS = {"iss": "https://op.example.test", "sub": "1"}
BODY = json.dumps(CLAIMS).encode()


def signed(header: dict[str, Any] | bytes, body: bytes = BODY, alg: str = "RS256") -> str:
    """Returns a token with any header, signed with the algorithm's real key."""
    head = header if isinstance(header, bytes) else json.dumps(header).encode()
    text = f"{b64url(head)}.{b64url(body)}".encode()
    return f"{text.decode()}.{b64url(_signer(alg)(text))}"


def _signer(alg: str) -> Callable[[bytes], bytes]:
    def sign(text: bytes) -> bytes:
        algorithm = jwt.get_algorithm_by_name(alg)
        return algorithm.sign(text, KEYS[alg].private)

    return sign


@pytest.mark.parametrize("alg", ALGORITHMS)
def test_signature_verifies_with_the_public_key(alg: str) -> None:
    """Signing and verifying round-trip for each published algorithm, and PyJWT agrees."""
    token = KEYS[alg].sign(BODY, typ="at+jwt")
    public = jwt.PyJWK(KEYS[alg].public_jwk())

    assert VERIFIERS[alg].verify(token) == CLAIMS
    assert jwt.decode(token, public, algorithms=[alg]) == CLAIMS
    assert unverified_header(token) == {"alg": alg, "kid": f"k-{alg}", "typ": "at+jwt"}


HEADER = b'{"alg":"EdDSA","kid":"k-EdDSA"}'
AMBIGUOUS = {
    "a repeated claim": (HEADER, b'{"sub":"a","sub":"b"}'),
    "a repeated header member": (b'{"alg":"EdDSA","kid":"other","kid":"k-EdDSA"}', b'{"sub":"a"}'),
    "a number that is none": (HEADER, b'{"sub":"a","x":NaN}'),
    "half a character": (HEADER, b'{"sub":"a\\ud800"}'),
    "another encoding": (HEADER, '{"sub":"a"}'.encode("utf-16")),
    "a b64 header": (b'{"alg":"EdDSA","b64":true}', b'{"sub":"a"}'),
    "too long": (HEADER, b'{"sub":"' + b"a" * MAX_TOKEN + b'"}'),
}
"""Signed tokens that two parsers may read differently, or that are too expensive to parse."""


@pytest.mark.parametrize(("header", "body"), AMBIGUOUS.values(), ids=AMBIGUOUS)
def test_ambiguous_token_is_refused(header: bytes, body: bytes) -> None:
    """PyJWT's decoder accepts each of these tokens, which is why it does not read our tokens (decision 0033, JW-14)."""
    token = signed(header, body, "EdDSA")

    assert jwt.decode(token, jwt.PyJWK(KEYS["EdDSA"].public_jwk()), algorithms=["EdDSA"])
    with pytest.raises(MalformedToken):
        VERIFIERS["EdDSA"].verify(token)


@pytest.mark.parametrize("alg", ALGORITHMS)
def test_private_key_survives_serialization(alg: str) -> None:
    loaded = SigningKey.load("k", alg, KEYS[alg].der())

    assert loaded.public_jwk() == {**KEYS[alg].public_jwk(), "kid": "k"}


def test_alg_none_is_refused() -> None:
    """A token with any spelling of alg none, or with a missing or invalid alg, is refused (JW-01)."""
    names: tuple[Any, ...] = ("none", "None", "NONE", "nOnE", None, "", ["RS256"], 1, True)
    for alg, name in product(ALGORITHMS, names):
        unsigned = f"{b64url(json.dumps({'alg': name}).encode())}.{b64url(BODY)}."

        assert not is_accepted(unsigned, alg), (alg, name)
        assert not is_accepted(signed({"alg": name}, alg=alg), alg), (alg, name)


def is_accepted(token: str, alg: str) -> bool:
    try:
        VERIFIERS[alg].verify(token)
    except MalformedToken:
        return False
    return True


def test_a_header_without_alg_is_refused() -> None:
    """A validly signed token without alg in its header is refused (JW-01)."""
    with pytest.raises(MalformedToken):
        VERIFIERS["RS256"].verify(signed({"typ": "JWT"}))


@pytest.mark.parametrize("hash_name", ["sha256", "sha384", "sha512"])
@pytest.mark.parametrize("alg", ALGORITHMS)
def test_hmac_with_the_public_key_is_refused(alg: str, hash_name: str) -> None:
    """A public key is never used as an HMAC secret, whatever its encoding (JW-02)."""
    public = VERIFIERS[alg].public
    pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    forms = [
        pem,
        b"\n" + pem,
        pem.replace(b"\n", b"\r\n"),
        pem.strip(),
        public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo),
        public.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH),
        json.dumps(KEYS[alg].public_jwk()).encode(),
        b"",
        b"\x00" * 32,
    ]
    head = {"alg": f"HS{hash_name[3:]}", "kid": f"k-{alg}"}

    for key in forms:
        text = f"{b64url(json.dumps(head).encode())}.{b64url(BODY)}"
        mac = hmac.new(key, text.encode(), getattr(hashlib, hash_name)).digest()
        with pytest.raises(MalformedToken):
            VERIFIERS[alg].verify(f"{text}.{b64url(mac)}")


def test_token_of_another_algorithm_is_refused() -> None:
    """A key verifies one algorithm only, and a token cannot select another by naming it (JW-02)."""
    for alg, other in permutations(ALGORITHMS, 2):
        assert not is_accepted(KEYS[other].sign(BODY), alg), (alg, other)
        assert not is_accepted(signed({"alg": alg}, alg=other), alg), (alg, other)


@pytest.mark.parametrize("crit", [["x"], [], "x", None, {"x": 1}, ["b64"]])
def test_crit_header_is_refused(crit: Any) -> None:
    """A token with a crit header is refused, because no extension is supported (JW-05)."""
    for header in ({"alg": "RS256", "crit": crit}, {"alg": "RS256", "crit": crit, "b64": False}):
        with pytest.raises(MalformedToken):
            VERIFIERS["RS256"].verify(signed(header))


def test_changing_any_character_invalidates_a_token() -> None:
    """Changing any character invalidates a token, including unused bits in the last character of a part (JW-14)."""
    token = KEYS["ES256"].sign(BODY)
    changed = [token[:at] + ("A" if token[at] != "A" else "B") + token[at + 1 :] for at in range(len(token))]
    bits = [token[:-1] + other for other in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"]
    cut = [token[:at] for at in range(len(token))]
    dressed = [f"{token}=", f"{token} ", f" {token}", f"{token}\n", token.replace(".", "=."), f"{token}."]

    for text in {*changed, *bits, *cut, *dressed} - {token}:
        with pytest.raises(MalformedToken):
            VERIFIERS["ES256"].verify(text)


@pytest.mark.parametrize(
    "token",
    [
        "." * 1_000_000,
        "a" * 262_144 + ".e30.",
        "e30.e30." + "a" * 262_144,
        "e30." + "a" * 1_000_000 + ".",
        "a" * (MAX_TOKEN + 1),
    ],
    ids=["dots", "header", "signature", "payload", "one too long"],
)
def test_oversized_token_is_refused_unparsed(token: str) -> None:
    """Length and number of dots are checked before anything is decoded (JW-16)."""
    with pytest.raises(MalformedToken):
        VERIFIERS["RS256"].verify(token)
    assert key_id_in(token) is None


@pytest.mark.parametrize(
    "header", [{"alg": "dir", "enc": "A256GCM", "zip": "DEF"}, {"alg": "PBES2-HS256+A128KW", "p2c": 2**31}]
)
def test_an_encrypted_token_is_refused(header: dict[str, Any]) -> None:
    """A token of five parts is refused without decoding (JW-17)."""
    token = ".".join([b64url(json.dumps(header).encode()), "AAAA", "AAAA", "AAAA", "AAAA"])

    with pytest.raises(MalformedToken):
        VERIFIERS["RS256"].verify(token)


UNREADABLE = (
    b"",
    b"null",
    b"[]",
    b'"RS256"',
    b'{"alg":"RS256"',
    b'{"alg":"none","alg":"RS256"}',
    '{"alg":"RS256"}'.encode("utf-16"),
    '{"alg":"RS256"}'.encode("utf-32"),
    b'\xef\xbb\xbf{"alg":"RS256"}',
    b'{"alg":"RS256","x":NaN}',
    b'{"alg":"RS256","kid":"\\ud800"}',
    b'{"alg":"RS256","x":"\xff"}',
    b'{"alg":"RS256","x":' + b"[" * 100 + b"]" * 100 + b"}",
    b'{"alg":"RS256","x":' + b'{"x":' * 100 + b"1" + b"}" * 101,
    b'{"alg":"RS256","x":' + b"[" * 5_000 + b"]" * 5_000 + b"}",
    b'{"alg":"RS256","x":' + b"9" * 5_000 + b"}",
)


def test_header_must_be_one_json_object() -> None:
    """A header is UTF-8 JSON: one object with unique members, no surrogates and bounded depth (RX-05)."""
    assert [header for header in UNREADABLE if is_accepted(signed(header), "RS256")] == []


def test_claims_must_be_one_json_object() -> None:
    """A repeated claim in a validly signed token is refused."""
    with pytest.raises(MalformedToken):
        VERIFIERS["RS256"].verify(signed({"alg": "RS256"}, b'{"sub":"1","sub":"2"}'))


@given(
    st.one_of(
        st.text(),
        st.binary().map(lambda data: base64.b64encode(data).decode()),
        st.from_regex(r"[\w-]*\.[\w-]*\.[\w-]*"),
    )
)
def test_random_text_never_crashes_the_reader(text: str) -> None:
    """Any input is refused with an error and never crashes the reader (RX-12)."""
    with pytest.raises(MalformedToken):
        VERIFIERS["EdDSA"].verify(text)


def _jwk(key: Any, alg: str) -> dict[str, Any]:
    algorithm: Any = jwt.get_algorithm_by_name(alg)
    return {**algorithm.to_jwk(key, as_dict=True), "kid": "k", "alg": alg}


def test_unsuitable_verification_key_is_refused() -> None:
    """A key that is symmetric, private, weak or of another type than its alg is not accepted for verification
    (JW-02).
    """
    weak = rsa.generate_private_key(public_exponent=65537, key_size=1024)  # noqa: S505 - that is the point
    unsuitable: dict[str, dict[str, Any]] = {
        "empty": {},
        "only kid": {"kid": "k"},
        "HMAC": {"kid": "k", "alg": "HS256", "kty": "oct", "k": "AAAA"},
        "secret as RSA": {"kid": "k", "alg": "RS256", "kty": "oct", "k": "AAAA"},
        "EC as RSA": {**_jwk(ec.generate_private_key(ec.SECP256R1()).public_key(), "ES256"), "alg": "RS256"},
        "P-384": {**_jwk(ec.generate_private_key(ec.SECP384R1()).public_key(), "ES384"), "alg": "ES256"},
        "weak RSA": _jwk(weak.public_key(), "RS256"),
        "private RSA": _jwk(KEYS["RS256"].private, "RS256"),
        "private Ed25519": _jwk(ed25519.Ed25519PrivateKey.generate(), "EdDSA"),
        "odd kid": {**KEYS["RS256"].public_jwk(), "kid": 1},
        "odd alg": {**KEYS["RS256"].public_jwk(), "alg": ["RS256"]},
    }

    assert [name for name, jwk in unsuitable.items() if "not a public key" not in refusal_of(jwk)] == []


def refusal_of(jwk: dict[str, Any]) -> str:
    try:
        VerificationKey.from_jwk(jwk)
    except ValueError as error:
        return str(error)
    return ""


def test_access_token_hash() -> None:
    """at_hash is the left half of the hash that the id_token's alg names (OIDC Core §3.1.3.6)."""
    # Example of OIDC Core appendix A.3.
    assert token_hash("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y") == "77QmUPtjPfzWtF2AnpK9RQ"
    assert len(token_hash("x", "EdDSA")) == 43
