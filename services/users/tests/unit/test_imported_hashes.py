"""Hashes of other systems: recognised, limited, verified (MG-12)."""

from __future__ import annotations

import base64
import hashlib
from typing import Any, Final

import argon2
import bcrypt
import passlib.hash
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES256
from cryptography.hazmat.primitives.ciphers.modes import ECB
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from portico_oauth.errors import ServiceError
from portico_users.credentials.passwords.imported_hashes import is_made_by, matches, stored_hash

libpass: Any = passlib.hash

PASSWORD = "correct horse battery é"


def _b64(data: bytes) -> str:
    return base64.b64encode(data).rstrip(b"=").decode()


def _phc_pbkdf2() -> str:
    made = hashlib.pbkdf2_hmac("sha512", PASSWORD.encode(), b"salt and salt", 1000)
    return f"$pbkdf2-sha512$i=1000,l=64${_b64(b'salt and salt')}${_b64(made)}"


def _firebase(password: str, cost: int, rounds: int) -> tuple[bytes, str]:
    """Returns Firebase's stored hash, computed block by block as documented, and the imported format."""
    signer_key, salt = bytes(range(64)), b"a salt!!" + b"\x07"
    key = Scrypt(salt=salt, length=64, n=2**cost, r=rounds, p=1).derive(password.encode())[:32]
    aes = Cipher(AES256(key), ECB()).encryptor()  # noqa: S305 - the counter is made by hand below
    stream = b"".join(aes.update(counter.to_bytes(16, "big")) for counter in range(4))
    digest = bytes(one ^ other for one, other in zip(signer_key, stream, strict=True))
    without_key = bytes(one ^ other for one, other in zip(digest, signer_key, strict=True))
    return digest, f"$firebase-scrypt$ln={cost},r={rounds}${_b64(salt)}${_b64(without_key)}"


HASHES = {
    "argon2id": argon2.PasswordHasher(1, 8, 1).hash(PASSWORD),
    "argon2i": argon2.PasswordHasher(1, 8, 1, type=argon2.Type.I).hash(PASSWORD),
    "bcrypt": bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(4)).decode(),
    "scrypt": libpass.scrypt.using(rounds=4).hash(PASSWORD),
    "firebase-scrypt": _firebase(PASSWORD, 4, 8)[1],
    "pbkdf2-sha1": libpass.pbkdf2_sha1.using(rounds=10).hash(PASSWORD),
    "pbkdf2-sha256": libpass.pbkdf2_sha256.using(rounds=10).hash(PASSWORD),
    "pbkdf2-sha512": libpass.pbkdf2_sha512.using(rounds=10).hash(PASSWORD),
    "pbkdf2 in PHC form": _phc_pbkdf2(),
    "sha256-crypt": libpass.sha256_crypt.using(rounds=1000).hash(PASSWORD),
    "sha512-crypt": libpass.sha512_crypt.using(rounds=5000).hash(PASSWORD),
    "md5-crypt": libpass.md5_crypt.hash(PASSWORD),
    "phpass": libpass.phpass.using(rounds=7).hash(PASSWORD),
}


@pytest.mark.parametrize("name", HASHES)
def test_every_format_is_imported_and_verified(name: str) -> None:
    """The right password matches and another one does not, whatever its length."""
    hash = HASHES[name]
    assert stored_hash(hash) == hash
    assert matches(hash, PASSWORD)
    assert not matches(hash, PASSWORD + "!")
    assert not matches(hash, "x" * 200)
    assert not matches(hash, "a\x00b")


@pytest.mark.parametrize(
    ("name", "algorithms", "others"),
    [
        ("argon2id", ["argon2", "argon2id"], ["argon2i", "bcrypt"]),
        ("argon2i", ["argon2", "ARGON2I"], ["argon2id"]),
        ("bcrypt", ["bcrypt", "2b"], ["scrypt", "2a"]),
        ("scrypt", ["scrypt"], ["bcrypt"]),
        ("firebase-scrypt", ["firebase_scrypt", "firebase-scrypt"], ["scrypt"]),
        ("pbkdf2-sha256", ["pbkdf2", "pbkdf2-sha256", "pbkdf2_sha256"], ["pbkdf2-sha512", "sha256"]),
        ("sha512-crypt", ["sha512-crypt", "sha512crypt", "sha2"], ["sha256-crypt", "md5"]),
        ("md5-crypt", ["md5", "md5-crypt"], ["sha2"]),
        ("phpass", ["phpass"], ["bcrypt"]),
    ],
)
def test_hash_names_its_algorithm(name: str, algorithms: list[str], others: list[str]) -> None:
    """The algorithm matches its aliases, with or without a variant, and no other."""
    assert all(is_made_by(HASHES[name], algorithm) for algorithm in algorithms)
    assert not any(is_made_by(HASHES[name], other) for other in others)


FIREBASE_KEY = base64.b64decode(
    "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
)
FIREBASE_DIGEST = base64.b64decode(
    "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="
)
"""The sample of https://github.com/firebase/scrypt: salt 42xEC+ixf3L2lw==, separator Bw==, user1password."""


def test_published_firebase_hash_is_verified() -> None:
    """The sample of Firebase's own repository, without its signer key, matches only its password (MG-12)."""
    stream = bytes(one ^ other for one, other in zip(FIREBASE_KEY, FIREBASE_DIGEST, strict=True))
    hash = f"$firebase-scrypt$ln=14,r=8$42xEC+ixf3L2lwc${_b64(stream)}"

    assert matches(hash, "user1password")
    assert not matches(hash, "user1passworD")
    assert not matches(hash.replace("r=8", "r=7"), "user1password")
    assert not matches(hash.replace("lwc$", "lwQ$"), "user1password")


@pytest.mark.parametrize(("cost", "rounds"), [(1, 1), (2, 8), (10, 3), (14, 8)])
def test_firebase_hashes_of_every_cost_are_verified(cost: int, rounds: int) -> None:
    """The hashes are those of an implementation that encrypts the signer key; with the digest in place of the
    stream none matches.
    """
    digest, hash = _firebase(PASSWORD, cost, rounds)

    assert matches(hash, PASSWORD)
    assert not matches(hash, PASSWORD[:-1])
    assert not matches(f"{hash.rpartition('$')[0]}${_b64(digest)}", PASSWORD)


def test_nul_is_an_ordinary_byte_for_binary_formats() -> None:
    """argon2, scrypt and PBKDF2 hash NUL like any other byte, as their sources did; formats with C strings
    reject it.
    """
    typed, salt = "abc\x00def", b"salt of 16 bytes"
    derived = hashlib.pbkdf2_hmac("sha256", typed.encode(), salt, 10)
    hash = f"$pbkdf2-sha256$10${_b64(salt)}${_b64(derived)}"

    assert matches(hash, typed)
    assert not matches(hash, "abc")


@pytest.mark.parametrize("name", ["bcrypt", "sha256-crypt", "sha512-crypt", "md5-crypt", "phpass"])
def test_nul_is_refused_by_c_string_formats(name: str) -> None:
    """Some sources truncated at a NUL, so the rest would not be compared."""
    assert not matches(HASHES[name], f"{PASSWORD}\x00")
    assert not matches(HASHES[name], f"{PASSWORD}\x00and more")


def test_bcrypt_compares_72_bytes() -> None:
    """All implementations of bcrypt do so; a longer password is not an error."""
    hash = bcrypt.hashpw(b"x" * 72, bcrypt.gensalt(4)).decode()

    assert matches(hash, "x" * 200)


REFUSED: Final = (
    ("$argon2id$v=19$m=4194304,t=1,p=1$" + "a" * 22 + "$" + "b" * 43, "USER-321"),
    ("$argon2id$v=19$m=65536,t=1000,p=1$" + "a" * 22 + "$" + "b" * 43, "USER-321"),
    ("$argon2id$v=19$m=65536,t=1,p=255$" + "a" * 22 + "$" + "b" * 43, "USER-321"),
    ("$argon2d$v=19$m=8,t=1,p=1$" + "a" * 22 + "$" + "b" * 43, "USER-320"),
    ("$2b$31$" + "a" * 53, "USER-321"),
    ("$2b$10$" + "a" * 52, "USER-320"),
    ("$pbkdf2-sha256$2147483647$aaaa$" + "b" * 43, "USER-321"),
    ("$pbkdf2-md5$1000$aaaa$" + "b" * 43, "USER-320"),
    ("$scrypt$ln=31,r=8,p=1$aaaa$" + "b" * 43, "USER-321"),
    ("$scrypt$ln=17,r=16,p=4$aaaa$" + "b" * 43, "USER-321"),
    ("$firebase-scrypt$ln=15,r=8$aaaa$" + "b" * 86, "USER-321"),
    ("$firebase-scrypt$ln=14,r=9$aaaa$" + "b" * 86, "USER-321"),
    ("$firebase-scrypt$ln=14,r=8$aaaa$" + "b" * 85, "USER-320"),
    ("$6$rounds=999999999$aaaa$" + "b" * 86, "USER-321"),
    ("$P$Z" + "a" * 30, "USER-321"),
    ("plain text", "USER-320"),
    ("", "USER-320"),
    ("{SSHA}abcdef", "USER-320"),
    ("{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=", "USER-320"),
    ("{MD5}X03MO1qnZdYdgyfeuILPmQ==", "USER-320"),
    ("{noop}password", "USER-320"),
    ("{pbkdf2}5d923b44a6d129f3ddf3e3c8d29412723dcbde72445e8ef6bf3b508fbf17fa4ed4d6b99ca763d8dc", "USER-320"),
    ("argon2$argon2id$v=19$m=4194304,t=1,p=1$" + "a" * 22 + "$" + "b" * 43, "USER-321"),
    ("$argon2id$v=19$t=1,p=1,m=4194304$" + "a" * 22 + "$" + "b" * 43, "USER-321"),
    ("$argon2id$v=19$m=8,m=8,t=1$" + "a" * 22 + "$" + "b" * 43, "USER-320"),
    ("bcrypt$$2b$31$" + "a" * 53, "USER-321"),
    ("$wp$2y$31$" + "a" * 53, "USER-321"),
    ("bcrypt_sha256$$2b$31$" + "a" * 53, "USER-321"),
    ("{CRYPT}$6$rounds=999999999$aaaa$" + "b" * 86, "USER-321"),
    ("{CRYPT}$y$j9T$aaaa$" + "b" * 43, "USER-320"),
    ("{CRYPT}ab0123456789.", "USER-320"),
    ("pbkdf2_sha256$2147483647$salt$" + "b" * 43 + "=", "USER-321"),
    ("pbkdf2_sha256$10$salt$no base64", "USER-320"),
    ("scrypt$16385$salt$8$5$" + "b" * 86 + "==", "USER-320"),
    ("scrypt:2147483648:8:1$salt$" + "b" * 128, "USER-321"),
    ("scrypt:32768:8:17$salt$" + "b" * 128, "USER-321"),
    ("$S$U" + "a" * 51, "USER-321"),
    ("AQAAAAJ/////AAAAEOMwvh3+FZxqkdMBz2ekgGhwQ4B6pZWND6zgESBuWiHw", "USER-321"),
    ("AQAAAAMAAAAyAAAAEOMwvh3+FZxqkdMBz2ekgGhwQ4B6pZWND6zgESBuWiHw", "USER-320"),
    ("AAABAgMEBQYHCAkKCwwNDg+ukCEMDf0yyQ29NYubggE=", "USER-320"),
)
"""Texts, and the ids of their errors."""


def test_unknown_or_costly_hashes_are_refused() -> None:
    """The cost is parsed from the text; nothing is computed."""
    for hash, error_code in REFUSED:
        assert refusal_of(hash) == error_code, repr(hash)
        assert not matches(hash, PASSWORD), repr(hash)


def refusal_of(hash: str) -> str:
    try:
        stored_hash(hash)
    except ServiceError as error:
        return error.id
    return ""
