from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Mapping
from typing import Final

import bcrypt
import passlib.hash
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES256
from cryptography.hazmat.primitives.ciphers.modes import CTR
from passlib.utils.binary import h64
from portico_oauth.opaque import equal_in_constant_time

PHPASS_LETTERS: Final = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
BCRYPT_BYTES: Final = 72
"""bcrypt uses the first 72 bytes; all implementations truncate."""

Parts = Mapping[str, str]


def argon2_matches(hash: str, password: str, _parts: Parts) -> bool:
    try:
        return PasswordHasher().verify(hash, password)
    except (VerificationError, InvalidHashError):
        return False


def bcrypt_matches(hash: str, password: str, _parts: Parts) -> bool:
    """Uses the first 72 bytes."""
    return _bcrypt(password.encode()[:BCRYPT_BYTES], hash)


def scrypt_matches(_hash: str, password: str, parts: Parts) -> bool:
    wanted = _decode(parts["digest"])
    n, r, p = 2 ** int(parts["ln"]), int(parts["r"]), int(parts["p"])
    salt = _decode(parts["salt"])
    made = hashlib.scrypt(password.encode(), salt=salt, n=n, r=r, p=p, maxmem=256 * 1024 * 1024, dklen=len(wanted))
    return equal_in_constant_time(made.hex(), wanted.hex())


def firebase_scrypt_matches(_hash: str, password: str, parts: Parts) -> bool:
    """Firebase encrypts its signer key with AES-256-CTR under the scrypt output; here the digest is that key stream.

    `portico user convert` computes the stream as Firebase's digest XOR the signer key, so the signer key
    never reaches this service (decision 0068). https://github.com/firebase/scrypt
    """
    wanted, salt = _decode(parts["digest"]), _decode(parts["salt"])
    n, r = 2 ** int(parts["ln"]), int(parts["r"])
    key = hashlib.scrypt(password.encode(), salt=salt, n=n, r=r, p=1, maxmem=64 * 1024 * 1024, dklen=32)
    made = Cipher(AES256(key), CTR(bytes(16))).encryptor().update(bytes(len(wanted)))
    return equal_in_constant_time(made.hex(), wanted.hex())


def pbkdf2_matches(_hash: str, password: str, parts: Parts) -> bool:
    """PBKDF2 with HMAC (RFC 8018)."""
    name = parts["name"] or "sha1"
    # Further blocks of a longer digest would each cost as much as the first without verifying more.
    wanted = _decode(parts["digest"])[: hashlib.new(name).digest_size]
    salt = _decode(parts["salt"])
    made = hashlib.pbkdf2_hmac(name, password.encode(), salt, int(parts["rounds"]), dklen=len(wanted))
    return equal_in_constant_time(made.hex(), wanted.hex())


def crypt_matcher(scheme: str) -> Callable[[str, str, Parts], bool]:
    """Unix crypt formats, computed by libpass."""
    return lambda text, password, _parts: bool(getattr(passlib.hash, scheme).verify(password, text))


def wordpress_matches(hash: str, password: str, _parts: Parts) -> bool:
    """WordPress 6.8 and later: bcrypt of an HMAC, which removes the 72-byte limit."""
    mac = hmac.digest(b"wp-sha384", password.encode(), "sha384")
    return _bcrypt(base64.b64encode(mac), hash.removeprefix("$wp"))


def django_bcrypt_matches(hash: str, password: str, _parts: Parts) -> bool:
    """Django's `BCryptSHA256PasswordHasher`."""
    return _bcrypt(hashlib.sha256(password.encode()).hexdigest().encode(), hash.removeprefix("$django-bcrypt-sha256"))


def passlib_bcrypt_matches(_hash: str, password: str, parts: Parts) -> bool:
    """The `bcrypt_sha256` of passlib: bcrypt of an HMAC with the salt as key; before 1.7.3, of SHA-256."""
    typed, salt = password.encode(), parts["salt"]
    digest = hmac.digest(salt.encode(), typed, "sha256") if parts["hmac"] else hashlib.sha256(typed).digest()
    return _bcrypt(base64.b64encode(digest), f"$2b${int(parts['cost']):02}${salt}{parts['digest']}")


def mediawiki_md5_matches(_hash: str, password: str, parts: Parts) -> bool:
    """MediaWiki's type B, of old accounts: two rounds of MD5."""
    inner = hashlib.md5(password.encode(), usedforsecurity=False).hexdigest()
    made = hashlib.md5(f"{parts['salt']}-{inner}".encode(), usedforsecurity=False).hexdigest()
    return equal_in_constant_time(made, parts["digest"])


def drupal_matches(hash: str, password: str, parts: Parts) -> bool:
    """Drupal 7 to 10.0: phpass with SHA-512."""
    typed = password.encode()
    made = hashlib.sha512(parts["salt"].encode() + typed).digest()
    for _ in range(2 ** PHPASS_LETTERS.index(parts["cost"])):
        made = hashlib.sha512(made + typed).digest()
    text: bytes = h64.encode_bytes(made)  # type: ignore[no-untyped-call] # libpass's
    return equal_in_constant_time(text.decode()[: len(parts["digest"])], parts["digest"])


def salted_sha_matches(_hash: str, password: str, parts: Parts) -> bool:
    """One round of SHA over password and salt, as LDAP servers store it."""
    wanted, salt = _decode(parts["digest"]), _decode(parts["salt"])
    made = hashlib.new(parts["name"], password.encode() + salt).digest()
    return equal_in_constant_time(made.hex(), wanted.hex())


def _bcrypt(typed: bytes, hash: str) -> bool:
    try:
        return bcrypt.checkpw(typed, hash.encode())
    except ValueError:
        return False


def _decode(text: str) -> bytes:
    """Decodes base64 without padding; passlib writes a dot instead of a plus."""
    return base64.b64decode(text.replace(".", "+") + "=" * (-len(text) % 4))
