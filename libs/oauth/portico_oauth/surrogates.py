"""Lone surrogates, which JSON and YAML can escape but UTF-8 cannot encode (RFC 8259, section 8.2)."""

from __future__ import annotations

import re
from typing import Any, Final

_ESCAPE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_HALF: Final = re.compile("[\ud800-\udfff]")
_MAX_NAME: Final = 100


def find_lone_surrogate(text: str, value: Any) -> str | None:
    """Returns the path (``a.b[0].c``) or None; the JSON `text` is searched first, as surrogates are rare."""
    if not _ESCAPE.search(text):
        return None
    left = [("", value)]
    while left:
        path, one = left.pop()
        if isinstance(one, str) and _HALF.search(one):
            return path
        if isinstance(one, list):
            left += reversed([(f"{path}[{number}]", item) for number, item in enumerate(one)])
        if isinstance(one, dict):
            places = {name: f"{path}.{name[:_MAX_NAME]}" if path else name[:_MAX_NAME] for name in one}
            for name, place in places.items():
                if _HALF.search(name):
                    return _HALF.sub("?", place)
            left += reversed([(places[name], inner) for name, inner in one.items()])
    return None


def with_paired_surrogates(text: str) -> str:
    """Replaces each surrogate pair by the character it encodes; raises ValueError for a lone surrogate."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16") if _HALF.search(text) else text
