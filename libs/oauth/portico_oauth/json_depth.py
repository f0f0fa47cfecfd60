"""Limits the depth of JSON, because the parser's limit differs between Python versions (990 or 10,000 levels)."""

from __future__ import annotations

from typing import Any, Final

MAX_DEPTH: Final = 100
"""Maximum depth of foreign documents; legitimate ones have a handful of levels."""


def is_deeper(value: Any, limit: int = MAX_DEPTH) -> bool:
    """Returns whether objects and arrays are nested deeper than the limit; iterative, so that depth uses no stack."""
    level = [value]
    for _ in range(limit):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return False
    return any(isinstance(inner, dict | list) for inner in level)


def may_be_deeper(data: bytes) -> bool:
    """Returns whether the text has enough brackets to need `is_deeper`; nearly no text has."""
    return data.count(b"[") + data.count(b"{") > MAX_DEPTH


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
