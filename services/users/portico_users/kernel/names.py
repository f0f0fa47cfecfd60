"""Names, email addresses and passwords: which are allowed, and the canonical forms in which they are compared."""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from functools import lru_cache
from typing import Final

import idna
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.jose import ALGORITHMS
from portico_oauth.opaque import RandomBytes
from portico_oauth.redirect_uris import may_register
from portico_oauth.scopes import OWN_PROJECT

MAX_LENGTH: Final = 200
_MAX_TYPED: Final = 5 * MAX_LENGTH
"""Code points of a login name as typed; ``username@primarydomain`` has fewer even when decomposed."""

INVALID_ID = ErrorCode(
    "USER-001",
    Kind.INVALID_REQUEST,
    "Invalid id.",
    "Use 1 to 200 characters without control characters. The ids ., .., portico and instance are reserved.",
)
INVALID_NAME = ErrorCode(
    "USER-002",
    Kind.INVALID_REQUEST,
    "The name contains invisible characters, or starts or ends with a space.",
    "Remove control characters and surrounding spaces.",
)
INVALID_USER_NAME = ErrorCode(
    "USER-003",
    Kind.INVALID_REQUEST,
    "Invalid user name.",
    "Remove invisible characters and surrounding spaces.",
)
INVALID_DOMAIN = ErrorCode(
    "USER-004",
    Kind.INVALID_REQUEST,
    "Invalid primary domain.",
    "Use lower-case letters, digits and hyphens, separated by dots.",
)
INVALID_MAIL = ErrorCode(
    "USER-005", Kind.INVALID_REQUEST, "Invalid email address.", "Enter one address such as name@example.com."
)
INVALID_PHONE = ErrorCode(
    "USER-006", Kind.INVALID_REQUEST, "Invalid phone number.", "Use the E.164 format, such as +41791234567."
)

INSTANCE: Final = "instance"
"""The id of the instance itself, which has settings of its own."""

_DOTS: Final = frozenset({".", ".."})
_NO_IDS: Final = _DOTS | {OWN_PROJECT, INSTANCE}
"""Tokens name ids as their audience: an object with the id of Portico's own API could get tokens that the API accepts."""

_DOMAIN: Final = re.compile(
    r"(?=.{1,200}\Z)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*\Z"
)
_PHONE: Final = re.compile(r"\+[1-9][0-9]{4,14}\Z")
_MAIL: Final = re.compile(r"[^\s@<>()\[\],;:\x22\x5c]+@[^\s@<>()\[\],;:\x22\x5c]+\Z")


def canonical(text: str) -> str:
    """The form two spellings of one name share: NFKC and case-folded, so that a unique index can compare."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Folding can bring back a form that NFKC would change (Unicode 3.13, toNFKC_Casefold).
    return unicodedata.normalize("NFKC", folded)


def login_key(typed: str) -> str:
    """The key of a typed login name for look-ups and counters; no account has the key of an over-long one."""
    return canonical(typed) if len(typed) <= _MAX_TYPED else ""


def is_id(text: str) -> bool:
    """True for 1..200 code points without control characters; a path's dots and our own audience are no ids."""
    return 0 < len(text) <= MAX_LENGTH and text not in _NO_IDS and not _has(text, ("Cc", "Cs"))


def is_key(text: str) -> bool:
    """True for a name that an address can have as a segment."""
    return is_name(text) and text not in _DOTS


def is_name(text: str) -> bool:
    """True for something that can be shown as a name."""
    return text.strip() == text != "" and not _has(text, ("Cc", "Cs"))


def is_user_name(text: str) -> bool:
    """True for a name that can be seen and typed: nothing invisible, no surrounding blanks."""
    return is_name(text) and len(text) <= MAX_LENGTH and not _has(text, ("Cf", "Co", "Cn", "Zl", "Zp"))


def is_domain(text: str) -> bool:
    """True for a host name in lower case."""
    return bool(_DOMAIN.match(text))


def is_email(text: str) -> bool:
    """True for one plain address; only an email can verify that it exists."""
    return len(text) <= MAX_LENGTH and is_user_name(text) and bool(_MAIL.match(text))


def is_phone(text: str) -> bool:
    """True for a number in E.164 form."""
    return bool(_PHONE.match(text))


def slug(name: str) -> str:
    """A host-name label for a name: ``Acme & Söhne`` gives ``acme-sohne``; empty when nothing is left."""
    ascii_text = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_text).strip("-")[:63].strip("-")


def new_id(random: RandomBytes) -> str:
    """A new id: 128 random bits as 26 lower-case letters and digits."""
    return _text_of(random(16))


def derived_id(seed: str, place: str, attempt: int) -> str:
    """An id in the form of `new_id`, always the same for the same seed, place and attempt."""
    return _text_of(hashlib.sha256(f"{seed}\n{place}\n{attempt}".encode()).digest()[:16])


def _text_of(bits: bytes) -> str:
    return base64.b32encode(bits).decode().rstrip("=").lower()


def _has(text: str, categories: tuple[str, ...]) -> bool:
    return any(unicodedata.category(character) in categories for character in text)


def email_key(address: str) -> str:
    """The canonical form of an address, in which all are compared; empty for a text without a local part or a domain.

    The domain is the A-label form of IDNA (UTS #46, non-transitional) in lower case; the local part is NFKC-normalised and
    case-folded, as user names are. Where the domain is no IDNA name, it is folded like the local part. Email is always sent
    to the address as it was given, never to this form.

    Args:
        address: as it was given; at most as long as a login name may be.
    """
    local, domain = split_address(address)
    return f"{canonical(local)}@{domain}" if local and domain else ""


def split_address(text: str) -> tuple[str, str]:
    """The local part before the last ``@``, and the canonical domain; both empty where the text is too long."""
    if not login_key(text):
        return "", ""
    # The domain is not case-folded like a name: IDNA keeps letters apart that folding makes equal.
    local, at_sign, domain = unicodedata.normalize("NFKC", text).rpartition("@")
    return (local, domain_key(domain) if domain else "") if at_sign else ("", "")


@lru_cache(maxsize=1024)
def domain_key(domain: str) -> str:
    """The canonical form of a domain: ``Bücher.example`` gives ``xn--bcher-kva.example``."""
    try:
        return idna.encode(domain, uts46=True).decode("ascii").lower()
    except (idna.IDNAError, UnicodeError):
        return canonical(domain)


def opaque_string(password: str) -> str:
    """The password in the profile OpaqueString (RFC 8265 section 4.2): blanks of other scripts are spaces, and all is NFC."""
    spaced = "".join(" " if unicodedata.category(letter) == "Zs" else letter for letter in password)
    return unicodedata.normalize("NFC", spaced)


INVALID_LINK = ErrorCode(
    "USER-621",
    Kind.INVALID_REQUEST,
    "Invalid link.",
    "Use an address that starts with https://, or leave it empty.",
)


def is_link(text: str) -> bool:
    """True for an https address. What becomes a link of a page must never be the address of a script (MG-20)."""
    return text.startswith("https://") and may_register(text, dev_mode=False)


ALG_UNKNOWN = ErrorCode(
    "USER-024", Kind.INVALID_REQUEST, "Unsupported signing algorithm.", "Use RS256, ES256 or EdDSA."
)


def is_offered(alg: str) -> bool:
    """Portico can sign with it."""
    return alg in ALGORITHMS
