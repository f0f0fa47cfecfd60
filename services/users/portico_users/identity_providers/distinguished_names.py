"""Distinguished names of directories: one name has several spellings (RFC 4514), and each server writes its own."""

from __future__ import annotations

import re
from typing import Final

_OWN_SPELLINGS: Final = re.compile(r'[\\+#"]|[^\S ]|\A | \Z| [ ,=]|[,=] |(?:\A|,)(?:oid\.)?[0-9]')
"""Without any of these a folded text is the one spelling already; directories list thousands of such values."""

_PART: Final = re.compile(
    r"\s*(?P<kind>(?:oid\.)?[0-9]+(?:\.[0-9]+)*|[a-z][a-z0-9-]*)\s*=(?P<value>(?:\\.|[^\\,+])*)(?P<end>[,+]|\Z)",
    re.DOTALL,
)
_ESCAPED: Final = re.compile(rb"\\([0-9a-f]{2}|.)", re.DOTALL)
_SPECIAL: Final = re.compile(r"[\\,+]|\A#")
_HEX: Final = re.compile(r"#((?:[0-9a-f]{2})+)\Z")

_STRINGS: Final = frozenset((0x04, 0x0C, 0x13, 0x16))
"""BER's OCTET STRING, UTF8String, PrintableString, IA5String."""

_KINDS: Final = {
    "2.5.4.3": "cn",
    "2.5.4.6": "c",
    "2.5.4.7": "l",
    "2.5.4.8": "st",
    "2.5.4.9": "street",
    "2.5.4.10": "o",
    "2.5.4.11": "ou",
    "0.9.2342.19200300.100.1.1": "uid",
    "0.9.2342.19200300.100.1.25": "dc",
}
"""RFC 4514 section 3."""


def one_spelling(text: str) -> str:
    """Returns the same text for every spelling of a distinguished name; of any other text, the text without case.

    Case, spaces that do not count (RFC 4518 section 2.6), escapes, the order of the parts of an RDN and object
    identifiers of well-known attributes make no other name.
    """
    folded = text.casefold()
    if not _OWN_SPELLINGS.search(folded):
        return folded
    names: list[list[str]] = [[]]
    at, end = 0, ","
    while end:
        part = _PART.match(folded, at)
        if part is None:
            return folded
        at, end = part.end(), part["end"]
        names[-1].append(f"{_kind(part['kind'])}={_value(part['value'])}")
        if end == ",":
            names.append([])
    return ",".join("+".join(sorted(parts)) for parts in names)


def _kind(text: str) -> str:
    oid = text.removeprefix("oid.")
    return _KINDS.get(oid, oid)


def _value(text: str) -> str:
    if found := _HEX.match(text.strip()):
        octets = bytes.fromhex(found[1])
        if octets[0] not in _STRINGS or len(octets) < 2 or octets[1] != len(octets) - 2:
            return found[0]
        octets = octets[2:]
    else:
        octets = _ESCAPED.sub(_unescaped, text.encode(errors="surrogatepass"))
    plain = octets.decode(errors="surrogateescape").casefold()  # of escaped octets too
    return _SPECIAL.sub(r"\\\g<0>", " ".join(plain.split()))


def _unescaped(found: re.Match[bytes]) -> bytes:
    return found[1] if len(found[1]) == 1 else bytes.fromhex(found[1].decode())
