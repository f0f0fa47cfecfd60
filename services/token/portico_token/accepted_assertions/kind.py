"""Recognizes identity assertions by `typ` alone, before anything is verified: it decides which grant they are for."""

from __future__ import annotations

from typing import Final

from portico_oauth.jose import MalformedToken, unverified_header
from portico_oauth.opaque import b64url
from portico_oauth.token_types import ID_JAG_TYPE

_NAME: Final = b"oauth-id-jag"
"""Without the plus sign, which some JSON encoders escape."""


def _encoded(before: int) -> str:
    """The characters that the name has in base64url after so many bytes, whatever they are and what follows."""
    return b64url(b"\0" * before + _NAME)[(8 * before + 5) // 6 : 8 * (before + len(_NAME)) // 6]


ENCODED: Final = (_encoded(0), _encoded(1), _encoded(2))
"""One of these is in the header of every identity assertion: a search for text distinguishes others."""


def is_identity_assertion(text: str) -> bool:
    """Ask only for a text with one of `ENCODED` in its header: another member may have it."""
    try:
        typ = unverified_header(text).get("typ")
    except MalformedToken:
        return False
    return is_type(typ)


def is_type(typ: object) -> bool:
    # RFC 7515 section 4.1.9: with or without "application/".
    return isinstance(typ, str) and typ.removeprefix("application/") == ID_JAG_TYPE
