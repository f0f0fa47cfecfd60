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
INVALID_ORG_ID = ErrorCode(
    "USER-009",
    Kind.INVALID_REQUEST,
    "Invalid id of an organization.",
    "Use printable ASCII characters without spaces, quotation marks and backslashes: scopes and a header name it.",
)
INVALID_NAME = ErrorCode(
    "USER-002",
    Kind.INVALID_REQUEST,
    "The name contains invisible characters, or starts or ends with a space.",
    "Remove control characters and surrounding spaces.",
)
INVALID_USER_NAME = ErrorCode(
    "USER-003", Kind.INVALID_REQUEST, "Invalid user name.", "Remove invisible characters and surrounding spaces."
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
"""Id of the instance, which has its own settings."""

_DOTS: Final = frozenset({".", ".."})
_NO_IDS: Final = _DOTS | {OWN_PROJECT, INSTANCE}
"""Tokens have ids as audience: an object with the id of Portico's API could get tokens that the API accepts."""

_UNRESERVED: Final = re.compile(r"[A-Za-z0-9._~-]+\Z")
"""Characters that never need encoding in a URL (RFC 3986 section 2.3)."""

_DOMAIN: Final = re.compile(
    r"(?=.{1,200}\Z)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*\Z"
)
_PHONE: Final = re.compile(r"\+[1-9][0-9]{4,14}\Z")
_MAIL: Final = re.compile(r"[^\s@<>()\[\],;:\x22\x5c]+@[^\s@<>()\[\],;:\x22\x5c]+\Z")


def canonical(text: str) -> str:
    """Returns the NFKC, case-folded form that all spellings of a name share, for unique indexes."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Folding can produce text that is not in NFKC (Unicode 3.13, toNFKC_Casefold).
    return unicodedata.normalize("NFKC", folded)


def login_key(typed: str) -> str:
    """Returns the key for lookups and counters; too long a name gets a key that no account has."""
    return canonical(typed) if len(typed) <= _MAX_TYPED else ""


def is_id(text: str) -> bool:
    """Accepts 1 to 200 code points without control characters, except dot path segments and Portico's audience."""
    return 0 < len(text) <= MAX_LENGTH and text not in _NO_IDS and not _has(text, ("Cc", "Cs"))


def is_unreserved(text: str) -> bool:
    """Accepts text that a URL contains unchanged, such as a redirect URI, which providers compare as text."""
    return bool(_UNRESERVED.match(text))


def is_key(text: str) -> bool:
    """Accepts names that can be a URL path segment."""
    return is_name(text) and text not in _DOTS


def is_name(text: str) -> bool:
    """Accepts text with something to see; characters that join others, as in Persian and emoji, are invisible alone."""
    return text.strip() == text and any(map(str.isprintable, text)) and not _has(text, ("Cc", "Cs"))


def is_user_name(text: str) -> bool:
    """Accepts visible, typeable names without surrounding spaces."""
    return is_name(text) and len(text) <= MAX_LENGTH and not _has(text, ("Cf", "Co", "Cn", "Zl", "Zp"))


def is_domain(text: str) -> bool:
    return bool(_DOMAIN.match(text))


def is_email(text: str) -> bool:
    """Accepts one plain address; only an email can verify that it exists."""
    return len(text) <= MAX_LENGTH and is_user_name(text) and bool(_MAIL.match(text))


def is_phone(text: str) -> bool:
    """Accepts numbers in E.164 format."""
    return bool(_PHONE.match(text))


def slug(name: str) -> str:
    """Derives a host name label: ``Acme & Söhne`` gives ``acme-sohne``; empty if nothing remains."""
    ascii_text = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_text).strip("-")[:63].strip("-")


def new_id(random: RandomBytes) -> str:
    """Returns 128 random bits as 26 lower-case letters and digits."""
    return _text_of(random(16))


def derived_id(seed: str, place: str, attempt: int) -> str:
    """Returns a deterministic id in the format of `new_id`."""
    return _text_of(hashlib.sha256(f"{seed}\n{place}\n{attempt}".encode()).digest()[:16])


def _text_of(bits: bytes) -> str:
    return base64.b32encode(bits).decode().rstrip("=").lower()


def _has(text: str, categories: tuple[str, ...]) -> bool:
    # No category of control, format or unassigned characters, surrogates or line separators has printable ones.
    return not text.isprintable() and any(unicodedata.category(character) in categories for character in text)


def email_key(address: str) -> str:
    """Returns the form of an address for comparisons; empty without a local part or a domain.

    The domain is the A-label form of IDNA (UTS #46, non-transitional) in lower case. The local part, and a
    domain that IDNA does not allow, are NFKC-normalized and case-folded, as user names are. Never send email
    to this form.
    """
    local, domain = split_address(address)
    return f"{canonical(local)}@{domain}" if local and domain else ""


def split_address(text: str) -> tuple[str, str]:
    """Splits at the last ``@`` into local part and canonical domain; both are empty if the text is too long."""
    if not login_key(text):
        return "", ""
    # Do not case-fold the domain: IDNA distinguishes letters that folding makes equal.
    local, at_sign, domain = unicodedata.normalize("NFKC", text).rpartition("@")
    return (local, domain_key(domain) if domain else "") if at_sign else ("", "")


@lru_cache(maxsize=1024)
def domain_key(domain: str) -> str:
    """Returns the canonical domain: ``Bücher.example`` gives ``xn--bcher-kva.example``."""
    try:
        return idna.encode(domain, uts46=True).decode("ascii").lower()
    except (idna.IDNAError, UnicodeError):
        return canonical(domain)


def opaque_string(password: str) -> str:
    """The password in the profile OpaqueString (RFC 8265 section 4.2): blanks of other scripts are spaces, and all is NFC."""
    if password.isascii():
        return password
    spaced = "".join(" " if unicodedata.category(letter) == "Zs" else letter for letter in password)
    return unicodedata.normalize("NFC", spaced)


INVALID_LINK = ErrorCode(
    "USER-621", Kind.INVALID_REQUEST, "Invalid link.", "Use an address that starts with https://, or leave it empty."
)


def is_link(text: str) -> bool:
    """Accepts https URLs only: a link on a page must never be a script URL (MG-20)."""
    return text.startswith("https://") and may_register(text, dev_mode=False)


ALG_UNKNOWN = ErrorCode(
    "USER-024", Kind.INVALID_REQUEST, "Unsupported signing algorithm.", "Use RS256, ES256 or EdDSA."
)


def is_offered(alg: str) -> bool:
    return alg in ALGORITHMS
