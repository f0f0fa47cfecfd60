"""How deep JSON is nested: bounded by rule, since how deep the parser goes differs between Pythons (990 levels, or 10,000)."""

from __future__ import annotations

from typing import Any, Final

MAX_DEPTH: Final = 100
"""Of documents of others; what is honest has a handful of levels."""


def is_deeper(value: Any, limit: int = MAX_DEPTH) -> bool:
    """Whether objects and arrays are nested deeper; goes through the value level by level, so that depth costs no stack."""
    level = [value]
    for _ in range(limit):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return False
    return any(isinstance(inner, dict | list) for inner in level)


def may_be_deeper(data: bytes, limit: int = MAX_DEPTH) -> bool:
    """Whether a text has so many brackets that `is_deeper` has to look: nearly none has."""
    return data.count(b"[") + data.count(b"{") > limit


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
