"""The canonical form of an email address, in which all addresses are compared.

The domain is the A-label form of IDNA (UTS #46, non-transitional) in lower case; the local part is NFKC-normalised and
case-folded, as user names are. Where the domain is no IDNA name, it is folded like the local part. Email is always sent
to the address as it was given, never to this form.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import idna

from portico_users.kernel.names import canonical, login_key


def email_key(address: str) -> str:
    """The canonical form of an address; empty for a text without a local part or a domain.

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
