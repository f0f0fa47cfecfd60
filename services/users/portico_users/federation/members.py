"""Finds members in claims and userinfo documents by paths with dots."""

from __future__ import annotations

from typing import Any


def member_at(claims: dict[str, Any], path: str) -> Any:
    """The value at a path; None where there is none, or the path is empty.

    A member that has the whole path as its name comes first: names of claims may be addresses.
    """
    if not path:
        return None
    if path in claims:
        return claims[path]
    found: Any = claims
    for name in path.split("."):
        if not isinstance(found, dict):
            return None
        found = found.get(name)
    return found
