"""Password hashes of other systems: which are taken over, at which cost, and how they are verified (MG-12).

Recognised by their form, refused above the bounds before anything is computed. What was verified once is hashed
anew with our own parameters (`portico_users.credentials.verification`).
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import bcrypt
import passlib.hash
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from portico_oauth.errors import Fact, Kind
from portico_oauth.opaque import same

HASH_UNKNOWN = Fact(
    "USER-320",
    Kind.MALFORMED,
    "This is no hash of a kind that is taken over.",
    "Use argon2id, argon2i, bcrypt, scrypt, pbkdf2, sha256-crypt, sha512-crypt, md5-crypt or phpass, in the usual form.",
)
HASH_TOO_COSTLY = Fact(
    "USER-321",
    Kind.MALFORMED,
    "This hash costs too much to verify.",
    "Let these people set a new password instead.",
)

Parts = Mapping[str, str]
_OTHER_NAMES: Final = {"md5-crypt": "md5", "sha256-crypt": "sha2", "sha512-crypt": "sha2"}
"""What other systems call some forms."""

_COSTS: Final = ("cost", "m", "t", "p", "ln", "r", "rounds")
_BCRYPT_BYTES: Final = 72
"""What bcrypt looks at; all implementations cut the rest off."""


class Format(NamedTuple):
    """One form of hashes.

    Attributes:
        name: what people call it.
        form: the whole text, with its costs as groups.
        is_affordable: the costs are within bounds, each some tenths of a second at most.
        matches: compares a password with a hash of the form.
    """

    name: str
    form: re.Pattern[str]
    is_affordable: Callable[[Parts], bool]
    matches: Callable[[str, str, Parts], bool]


def refuse_unusable(hash: str) -> None:
    """Returns when the hash can be taken over.

    Raises:
        Refusal: USER-320 for another form, USER-321 for one above the bounds.
    """
    found = _find(hash)
    if found is None:
        raise HASH_UNKNOWN.refusal()
    format, parts = found
    if not format.is_affordable(parts):
        raise HASH_TOO_COSTLY.refusal()


def describe(hash: str) -> str:
    """Kind and costs of a hash: ``bcrypt, cost=12``; empty for none that can be taken over."""
    found = _find(hash)
    if found is None:
        return ""
    format, parts = found
    costs = [f"{name}={parts[name]}" for name in _COSTS if parts.get(name)]
    return ", ".join([format.name, *costs])


def is_made_by(hash: str, algorithm: str) -> bool:
    """The hash is of an algorithm, under whatever usual name, with its variant or without; or of none that is known."""
    found = _find(hash)
    if found is None:
        return True
    name = found[0].name
    wanted = {name, hash.split("$")[1], _OTHER_NAMES.get(name, name)}
    return _bare(algorithm) in {_bare(one) for one in wanted}


def _bare(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")


def matches(hash: str, password: str) -> bool:
    """The password is the one that was hashed; false for everything that is no hash."""
    found = _find(hash)
    if found is None or "\x00" in password:
        return False
    format, parts = found
    return format.is_affordable(parts) and format.matches(hash, password, parts)


def _find(hash: str) -> tuple[Format, Parts] | None:
    for format in FORMATS:
        if found := format.form.fullmatch(hash):
            return format, found.groupdict(default="")
    return None


def _argon2(hash: str, password: str, _parts: Parts) -> bool:
    try:
        return PasswordHasher().verify(hash, password)
    except (VerificationError, InvalidHashError):
        return False


def _bcrypt(hash: str, password: str, _parts: Parts) -> bool:
    try:
        return bcrypt.checkpw(password.encode()[:_BCRYPT_BYTES], hash.encode())
    except ValueError:
        return False


def _scrypt(_hash: str, password: str, parts: Parts) -> bool:
    wanted = _decode(parts["digest"])
    n, r, p = 2 ** int(parts["ln"]), int(parts["r"]), int(parts["p"])
    salt = _decode(parts["salt"])
    made = hashlib.scrypt(password.encode(), salt=salt, n=n, r=r, p=p, maxmem=256 * 1024 * 1024, dklen=len(wanted))
    return same(made.hex(), wanted.hex())


def _pbkdf2(_hash: str, password: str, parts: Parts) -> bool:
    wanted = _decode(parts["digest"])
    salt = _decode(parts["salt"])
    name = parts["name"] or "sha1"
    made = hashlib.pbkdf2_hmac(name, password.encode(), salt, int(parts["rounds"]), dklen=len(wanted))
    return same(made.hex(), wanted.hex())


def _crypt(scheme: str) -> Callable[[str, str, Parts], bool]:
    """The forms of Unix systems, computed by libpass."""
    return lambda text, password, _parts: bool(getattr(passlib.hash, scheme).verify(password, text))


def _decode(text: str) -> bytes:
    """Base64 without padding; passlib writes a dot for the plus."""
    return base64.b64decode(text.replace(".", "+") + "=" * (-len(text) % 4))


def _is_cheap_argon2(parts: Parts) -> bool:
    memory, passes, lanes = int(parts["m"]), int(parts["t"]), int(parts["p"])
    return memory <= 131_072 and memory * passes <= 524_288 and 1 <= lanes <= 16 and memory >= 8 * lanes


def _is_cheap_scrypt(parts: Parts) -> bool:
    n, r, p = int(parts["ln"]), int(parts["r"]), int(parts["p"])
    return 1 <= n <= 17 and 1 <= r <= 16 and 1 <= p <= 4 and 2**n * r <= 2**20


_PHPASS_LETTERS: Final = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_DIGITS: Final = "[1-9][0-9]{0,10}"
_B64: Final = "[A-Za-z0-9+/.]"
_CRYPT: Final = "[A-Za-z0-9./]"
_SALT: Final = rf"(?:{_B64}{{4}}){{0,32}}(?:{_B64}{{2,3}})?"
_DIGEST: Final = rf"(?:{_B64}{{4}}){{4,32}}(?:{_B64}{{2,3}})?"
_SALT_AND_DIGEST: Final = rf"\$(?P<salt>{_SALT})\$(?P<digest>{_DIGEST})"


def _crypt_form(number: int, digest: int) -> re.Pattern[str]:
    return re.compile(rf"\${number}\$(rounds=(?P<rounds>{_DIGITS})\$)?{_CRYPT}{{1,16}}\${_CRYPT}{{{digest}}}")


def _rounds_up_to(most: int) -> Callable[[Parts], bool]:
    return lambda parts: int(parts["rounds"] or "5000") <= most


FORMATS: Final[tuple[Format, ...]] = (
    Format(
        "argon2",
        re.compile(
            rf"\$argon2(id|i)\$(v=(16|19)\$)?m=(?P<m>{_DIGITS}),t=(?P<t>{_DIGITS}),p=(?P<p>{_DIGITS})"
            rf"\${_B64}{{11,64}}\${_B64}{{16,128}}"
        ),
        _is_cheap_argon2,
        _argon2,
    ),
    Format(
        "bcrypt",
        re.compile(rf"\$2[abxy]\$(?P<cost>[0-9]{{2}})\${_CRYPT}{{53}}"),
        lambda parts: 4 <= int(parts["cost"]) <= 14,
        _bcrypt,
    ),
    Format(
        "scrypt",
        re.compile(rf"\$scrypt\$ln=(?P<ln>{_DIGITS}),r=(?P<r>{_DIGITS}),p=(?P<p>{_DIGITS}){_SALT_AND_DIGEST}"),
        _is_cheap_scrypt,
        _scrypt,
    ),
    Format(
        "pbkdf2",
        re.compile(
            rf"\$pbkdf2(-(?P<name>sha1|sha256|sha512))?\$(i=)?(?P<rounds>{_DIGITS})(,l=[0-9]{{1,3}})?{_SALT_AND_DIGEST}"
        ),
        _rounds_up_to(2_000_000),
        _pbkdf2,
    ),
    Format("sha256-crypt", _crypt_form(5, 43), _rounds_up_to(1_000_000), _crypt("sha256_crypt")),
    Format("sha512-crypt", _crypt_form(6, 86), _rounds_up_to(1_000_000), _crypt("sha512_crypt")),
    Format("md5-crypt", re.compile(rf"\$1\${_CRYPT}{{0,8}}\${_CRYPT}{{22}}"), lambda _parts: True, _crypt("md5_crypt")),
    Format(
        "phpass",
        re.compile(rf"\$[PH]\$(?P<cost>{_CRYPT}){_CRYPT}{{30}}"),
        lambda parts: 7 <= _PHPASS_LETTERS.index(parts["cost"]) <= 20,
        _crypt("phpass"),
    ),
)
"""All of them. A new one is an entry here and an example in its test."""
