"""The form in which passwords are hashed and compared: the profile OpaqueString of RFC 8265 section 4.2."""

from __future__ import annotations

import unicodedata


def opaque_string(password: str) -> str:
    """The password with blanks of other scripts as spaces, in NFC: one text for both ways to write an accent."""
    spaced = "".join(" " if unicodedata.category(letter) == "Zs" else letter for letter in password)
    return unicodedata.normalize("NFC", spaced)
