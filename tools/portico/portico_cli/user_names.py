from __future__ import annotations

import unicodedata


def comparable_name(name: str) -> str:
    """Returns a user name as users compares it: all spellings of one name are the same."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
