"""Converts other systems' notations of hashes to that of `imported_hashes`, text only; unknown ones stay."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from typing import Final

_LDAP: Final = re.compile(r"\{(?:crypt|bcrypt|argon2)\}(?=\$)", re.IGNORECASE)
_DOVECOT: Final = re.compile(r"\{(?:(?:sha512|sha256|md5|blf)-crypt|argon2id?)\}(?=\$)", re.IGNORECASE)
_NEXTCLOUD: Final = re.compile(r"[123]\|(?=\$)")
_SPRING: Final = re.compile(r"\{(?:bcrypt|argon2)(?:@SpringSecurity_v5_8)?\}(?=\$)")
_DJANGO: Final = re.compile(r"argon2(?=\$argon2)|bcrypt\$(?=\$2)")
_SALTED_SHA: Final = re.compile(r"\{SSHA(?P<bits>|256|512)\}(?P<data>[A-Za-z0-9+/]+={0,2})", re.IGNORECASE)
_DJANGO_PBKDF2: Final = re.compile(
    r"pbkdf2_(?P<name>sha1|sha256)\$(?P<rounds>[0-9]+)\$(?P<salt>[^$]+)\$(?P<digest>[^$]+)"
)
_DJANGO_SCRYPT: Final = re.compile(
    r"scrypt\$(?P<n>[0-9]{1,10})\$(?P<salt>[^$]+)\$(?P<r>[0-9]+)\$(?P<p>[0-9]+)\$(?P<digest>[^$]+)"
)
_DJANGO_BCRYPT: Final = re.compile(r"bcrypt_sha256\$(?P<bcrypt>\$2.+)")
_WERKZEUG_PBKDF2: Final = re.compile(
    r"pbkdf2:(?P<name>sha1|sha256|sha512):(?P<rounds>[0-9]+)\$(?P<salt>[^$]+)\$(?P<digest>(?:[0-9a-f]{2})+)"
)
_WERKZEUG_SCRYPT: Final = re.compile(
    r"scrypt:(?P<n>[0-9]{1,10}):(?P<r>[0-9]+):(?P<p>[0-9]+)\$(?P<salt>[^$]+)\$(?P<digest>(?:[0-9a-f]{2})+)"
)
_MEDIAWIKI_PBKDF2: Final = re.compile(
    r":pbkdf2:(?P<name>sha1|sha256|sha512):(?P<rounds>[0-9]+):[0-9]+:(?P<salt>[^:]+):(?P<digest>[^:]+)"
)
_MEDIAWIKI_MD5: Final = re.compile(r":B:(?P<salt>[^:]+):(?P<digest>[^:]+)")
_ASP_NET: Final = re.compile(r"A[A-Z][A-Za-z0-9+/]{40,190}={0,2}")
_PADDED: Final = re.compile(r"=+(?=\$|\Z)")
_ENCODED: Final = re.compile(r"\$(?:argon2|scrypt|pbkdf2|firebase-scrypt)")
_ARGON2_COSTS: Final = re.compile(r"(?<=\$)[mtp]=[0-9]+(?:,[mtp]=[0-9]+){2}(?=\$)")
_IN_ORDER: Final = "mtp"
_NORMALIZED: Final = re.compile(
    r"\$argon2id?\$v=19\$m=[0-9]+,t=[0-9]+,p=[0-9]+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+"
    r"|\$2[aby]\$[0-9]{2}\$[A-Za-z0-9./]{53}"
)
"""Hashes of the most frequent kinds, in which nothing is to be changed: an import has them by the million."""

_SHA_BYTES: Final = {"": ("sha1", 20), "256": ("sha256", 32), "512": ("sha512", 64)}
_LEAST_SALT: Final = 4
_ASP_NET_DIGESTS: Final = {0: "sha1", 1: "sha256", 2: "sha512"}


def unwrapped(hash: str) -> str:
    """Returns the hash in normalized notation; unknown text unchanged."""
    if _NORMALIZED.fullmatch(hash):
        return hash
    text = hash
    for prefix in (_SPRING, _LDAP, _DOVECOT, _DJANGO, _NEXTCLOUD):
        text = prefix.sub("", text, count=1) if prefix.match(text) else text
    for form, read in _READERS:
        if found := form.fullmatch(text):
            return read(found) or hash
    if _ENCODED.match(text):
        text = _ARGON2_COSTS.sub(lambda found: ",".join(sorted(found[0].split(","), key=_place)), _PADDED.sub("", text))
    return text


def _place(cost: str) -> int:
    return _IN_ORDER.index(cost[0])


def _salted_sha(found: re.Match[str]) -> str:
    """OpenLDAP: digest followed by salt."""
    name, length = _SHA_BYTES[found["bits"]]
    data = _decoded(found["data"])
    digest, salt = data[:length], data[length:]
    return f"$salted-{name}${_text(salt)}${_text(digest)}" if len(salt) >= _LEAST_SALT else ""


def _django_pbkdf2(found: re.Match[str]) -> str:
    return _pbkdf2(found["name"], int(found["rounds"]), found["salt"].encode(), _decoded(found["digest"]))


def _werkzeug_pbkdf2(found: re.Match[str]) -> str:
    return _pbkdf2(found["name"], int(found["rounds"]), found["salt"].encode(), bytes.fromhex(found["digest"]))


def _django_scrypt(found: re.Match[str]) -> str:
    return _scrypt(found, _decoded(found["digest"]))


def _werkzeug_scrypt(found: re.Match[str]) -> str:
    return _scrypt(found, bytes.fromhex(found["digest"]))


def _scrypt(found: re.Match[str], digest: bytes) -> str:
    n = int(found["n"])
    is_power = n > 0 and n & (n - 1) == 0
    costs = f"ln={n.bit_length() - 1},r={found['r']},p={found['p']}"
    return f"$scrypt${costs}${_text(found['salt'].encode())}${_text(digest)}" if is_power and digest else ""


def _django_bcrypt(found: re.Match[str]) -> str:
    return f"$django-bcrypt-sha256{found['bcrypt']}"


def _mediawiki_pbkdf2(found: re.Match[str]) -> str:
    return _pbkdf2(found["name"], int(found["rounds"]), _decoded(found["salt"]), _decoded(found["digest"]))


def _mediawiki_md5(found: re.Match[str]) -> str:
    return f"$mediawiki-md5${found['salt']}${found['digest']}"


def _asp_net(found: re.Match[str]) -> str:
    """ASP.NET Core Identity: version 2 has fixed costs; version 3 names function, iterations and salt length."""
    data = _decoded(found[0])
    if data[:1] == b"\x00" and len(data) == 49:
        return _pbkdf2("sha1", 1000, data[1:17], data[17:])
    if data[:1] != b"\x01" or len(data) < 13:
        return ""
    name, rounds, length = (int.from_bytes(data[at : at + 4], "big") for at in (1, 5, 9))
    if name not in _ASP_NET_DIGESTS:
        return ""
    return _pbkdf2(_ASP_NET_DIGESTS[name], rounds, data[13 : 13 + length], data[13 + length :])


def _pbkdf2(name: str, rounds: int, salt: bytes, digest: bytes) -> str:
    return f"$pbkdf2-{name}${rounds}${_text(salt)}${_text(digest)}" if digest else ""


def _decoded(text: str) -> bytes:
    """Returns empty bytes for invalid base64, which is then refused as a hash."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode().rstrip("=")


_READERS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...]] = (
    (_SALTED_SHA, _salted_sha),
    (_DJANGO_PBKDF2, _django_pbkdf2),
    (_DJANGO_SCRYPT, _django_scrypt),
    (_DJANGO_BCRYPT, _django_bcrypt),
    (_WERKZEUG_PBKDF2, _werkzeug_pbkdf2),
    (_WERKZEUG_SCRYPT, _werkzeug_scrypt),
    (_MEDIAWIKI_PBKDF2, _mediawiki_pbkdf2),
    (_MEDIAWIKI_MD5, _mediawiki_md5),
    (_ASP_NET, _asp_net),
)
