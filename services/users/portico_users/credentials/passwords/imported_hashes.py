"""Password hashes of other systems: supported formats, verification (MG-12).

Formats are recognized by pattern and refused above the limits before anything is computed. After the first
successful verification the password is rehashed with native parameters.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from portico_oauth.errors import ErrorCode, Kind

from portico_users.credentials.passwords import hash_comparisons as compare
from portico_users.credentials.passwords import hash_work as cost
from portico_users.credentials.passwords.hash_work import Parts
from portico_users.credentials.passwords.hash_wrappings import unwrapped

HASH_UNKNOWN = ErrorCode(
    "USER-320",
    Kind.INVALID_REQUEST,
    "Unsupported password hash.",
    "Use argon2id, argon2i, bcrypt, scrypt, firebase-scrypt, pbkdf2, sha256-crypt, "
    "sha512-crypt, md5-crypt or phpass, in the usual format or as the guide to importing "
    "users lists them, or have these users set a new password.",
)
HASH_TOO_COSTLY = ErrorCode(
    "USER-321",
    Kind.INVALID_REQUEST,
    "This password hash is too expensive to verify.",
    "Have these users set a new password instead.",
)

_OTHER_NAMES: Final = {"md5-crypt": "md5", "sha256-crypt": "sha2", "sha512-crypt": "sha2", "salted-sha": "ssha"}

_COSTS: Final = ("cost", "m", "t", "p", "ln", "r", "rounds")


class Format(NamedTuple):
    """A format of hashes.

    Attributes:
        form: pattern of the whole text, with costs, ``salt`` and ``digest`` as groups.
        is_affordable: whether the costs are within fixed limits, equal on every machine.
        work: amount of work, in a unit of the format.
        seconds: per unit on a typical machine, until one of these hashes was measured here.
        filler: a valid character of salt and digest, for masking.
        takes_nul: NUL bytes are significant; other formats end there or refuse them.
        reads: number of significant password bytes; 0 for all.
    """

    name: str
    form: re.Pattern[str]
    is_affordable: Callable[[Parts], bool]
    matches: Callable[[str, str, Parts], bool]
    work: Callable[[Parts], float]
    seconds: float
    filler: str = "."
    salt: int = 8
    takes_nul: bool = False
    reads: int = 0


def stored_hash(hash: str) -> str:
    """Returns the hash as stored. Raises USER-320 for an unknown format, USER-321 above the limits."""
    text = unwrapped(hash)
    found = find_format(text)
    if found is None:
        raise HASH_UNKNOWN.error()
    format, parts = found
    if not format.is_affordable(parts):
        raise HASH_TOO_COSTLY.error()
    return text


def describe(hash: str) -> str:
    """Returns format and costs, such as ``bcrypt, cost=12``; empty for an unsupported hash."""
    found = find_format(unwrapped(hash))
    if found is None:
        return ""
    format, parts = found
    costs = [f"{name}={parts[name]}" for name in _COSTS if parts.get(name)]
    return ", ".join([format.name, *costs])


def is_made_by(hash: str, algorithm: str) -> bool:
    """Accepts any common name of the algorithm, with or without variant; true for an unknown hash."""
    text = unwrapped(hash)
    found = find_format(text)
    if found is None:
        return True
    name = found[0].name
    wanted = {name, text.split("$")[1], _OTHER_NAMES.get(name, name)}
    return _bare(algorithm) in {_bare(one) for one in wanted}


def _bare(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")


def matches(hash: str, password: str) -> bool:
    found = find_format(hash)
    if found is None:
        return False
    format, parts = found
    if "\x00" in password and not format.takes_nul:
        return False
    return format.is_affordable(parts) and format.matches(hash, password, parts)


def reads_all_of(hash: str, password: str) -> bool:
    """Reports false where bcrypt ignores bytes after the 72nd or HMAC, so PBKDF2 and scrypt, trailing NULs."""
    found = find_format(hash)
    return found is None or ("\x00" not in password and len(password.encode()) <= (found[0].reads or math.inf))


@lru_cache(maxsize=2)
def find_format(hash: str) -> tuple[Format, Parts] | None:
    """Caches the last ones: a hash is looked at several times while its user is created."""
    for format in FORMATS:
        if found := format.form.fullmatch(hash):
            return format, found.groupdict(default="")
    return None


_DIGITS: Final = "[1-9][0-9]{0,10}"
_B64: Final = "[A-Za-z0-9+/.]"
_CRYPT: Final = "[A-Za-z0-9./]"
_SALT: Final = rf"(?:{_B64}{{4}}){{0,32}}(?:{_B64}{{2,3}})?"
_DIGEST: Final = rf"(?:{_B64}{{4}}){{4,32}}(?:{_B64}{{2,3}})?"
_SALT_AND_DIGEST: Final = rf"\$(?P<salt>{_SALT})\$(?P<digest>{_DIGEST})"


_BCRYPT_FORM: Final = rf"\$2[abxy]\$(?P<cost>[0-9]{{2}})\$(?P<digest>{_CRYPT}{{53}})"


def _crypt_hash(number: int, digest: int) -> re.Pattern[str]:
    return re.compile(
        rf"\${number}\$(rounds=(?P<rounds>{_DIGITS})\$)?(?P<salt>{_CRYPT}{{1,16}})\$(?P<digest>{_CRYPT}{{{digest}}})"
    )


FORMATS: Final[tuple[Format, ...]] = (
    Format(
        "argon2",
        re.compile(
            rf"\$argon2(?P<name>id|i)\$(v=(16|19)\$)?m=(?P<m>{_DIGITS}),t=(?P<t>{_DIGITS}),p=(?P<p>{_DIGITS})"
            rf"\$(?P<salt>{_B64}{{11,88}})\$(?P<digest>{_B64}{{16,128}})"
        ),
        cost.is_cheap_argon2,
        compare.argon2_matches,
        cost.argon2_work,
        1.1e-6,
        filler="A",
        salt=22,
        takes_nul=True,
    ),
    Format(
        "bcrypt",
        re.compile(_BCRYPT_FORM),
        cost.is_cheap_bcrypt,
        compare.bcrypt_matches,
        cost.bcrypt_work,
        6e-5,
        reads=compare.BCRYPT_BYTES,
    ),
    Format(
        "wordpress-bcrypt",
        re.compile(rf"\$wp{_BCRYPT_FORM}"),
        cost.is_cheap_bcrypt,
        compare.wordpress_matches,
        cost.bcrypt_work,
        6e-5,
        takes_nul=True,
    ),
    Format(
        "django-bcrypt-sha256",
        re.compile(rf"\$django-bcrypt-sha256{_BCRYPT_FORM}"),
        cost.is_cheap_bcrypt,
        compare.django_bcrypt_matches,
        cost.bcrypt_work,
        6e-5,
        takes_nul=True,
    ),
    Format(
        "bcrypt-sha256",
        re.compile(
            rf"\$bcrypt-sha256\$(?P<hmac>v=2,t=)?2[ab],(r=)?(?P<cost>[0-9]{{1,2}})"
            rf"\$(?P<salt>{_CRYPT}{{22}})\$(?P<digest>{_CRYPT}{{31}})"
        ),
        cost.is_cheap_bcrypt,
        compare.passlib_bcrypt_matches,
        cost.bcrypt_work,
        6e-5,
        salt=22,
        takes_nul=True,
    ),
    Format(
        "scrypt",
        re.compile(rf"\$scrypt\$ln=(?P<ln>{_DIGITS}),r=(?P<r>{_DIGITS}),p=(?P<p>{_DIGITS}){_SALT_AND_DIGEST}"),
        cost.is_cheap_scrypt,
        compare.scrypt_matches,
        cost.scrypt_work,
        4e-7,
        filler="A",
        salt=22,
        takes_nul=True,
    ),
    Format(
        "firebase-scrypt",
        re.compile(
            rf"\$firebase-scrypt\$ln=(?P<ln>{_DIGITS}),r=(?P<r>{_DIGITS})\$(?P<salt>{_SALT})\$(?P<digest>{_B64}{{86}})"
        ),
        cost.is_of_firebase,
        compare.firebase_scrypt_matches,
        cost.firebase_work,
        4e-7,
        filler="A",
        salt=22,
        takes_nul=True,
    ),
    Format(
        "pbkdf2",
        re.compile(
            rf"\$pbkdf2(-(?P<name>sha1|sha256|sha512))?\$(i=)?(?P<rounds>{_DIGITS})(,l=[0-9]{{1,3}})?{_SALT_AND_DIGEST}"
        ),
        cost.rounds_up_to(2_000_000),
        compare.pbkdf2_matches,
        cost.pbkdf2_work,
        3.2e-7,
        filler="A",
        salt=22,
        takes_nul=True,
    ),
    Format(
        "sha256-crypt",
        _crypt_hash(5, 43),
        cost.rounds_up_to(1_000_000),
        compare.crypt_matcher("sha256_crypt"),
        cost.rounds,
        6.5e-7,
    ),
    Format(
        "sha512-crypt",
        _crypt_hash(6, 86),
        cost.rounds_up_to(1_000_000),
        compare.crypt_matcher("sha512_crypt"),
        cost.rounds,
        1.5e-6,
    ),
    Format(
        "md5-crypt",
        re.compile(rf"\$1\$(?P<salt>{_CRYPT}{{0,8}})\$(?P<digest>{_CRYPT}{{22}})"),
        lambda _parts: True,
        compare.crypt_matcher("md5_crypt"),
        lambda _parts: 1000.0,
        3e-6,
    ),
    Format(
        "phpass",
        re.compile(rf"\$[PH]\$(?P<cost>{_CRYPT})(?P<digest>{_CRYPT}{{30}})"),
        cost.phpass_up_to(20),
        compare.crypt_matcher("phpass"),
        cost.phpass_work,
        1e-6,
    ),
    Format(
        "drupal",
        re.compile(rf"\$S\$(?P<cost>{_CRYPT})(?P<salt>{_CRYPT}{{8}})(?P<digest>{_CRYPT}{{43}})"),
        cost.phpass_up_to(18),
        compare.drupal_matches,
        cost.phpass_work,
        1e-6,
        takes_nul=True,
    ),
    Format(
        "mediawiki-md5",
        re.compile(r"\$mediawiki-md5\$(?P<salt>[0-9A-Za-z]{1,32})\$(?P<digest>[0-9a-f]{32})"),
        lambda _parts: True,
        compare.mediawiki_md5_matches,
        lambda _parts: 1.0,
        5e-6,
        filler="0",
        takes_nul=True,
    ),
    Format(
        "salted-sha",
        re.compile(rf"\$salted-(?P<name>sha1|sha256|sha512){_SALT_AND_DIGEST}"),
        lambda _parts: True,
        compare.salted_sha_matches,
        lambda _parts: 1.0,
        5e-6,
        filler="A",
        salt=22,
        takes_nul=True,
    ),
)
