"""Caddyfile blocks, and matchers of paths as sent: Caddy's own decodes them, so that ``%2F`` in an id is a slash."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_SENT: Final = "vars_regexp {http.request.uri}"
"""Path and query of the request line, not decoded."""

UPWARDS: Final = rf"{_SENT} ^[^?]*/(?:\.|%2[eE])(?:\.|%2[eE])?(?:[/?]|$)"
"""A dot segment, in any encoding; ``%2F`` ends no segment."""


def at(paths: Iterable[str]) -> str:
    """A matcher of paths; those with a trailing ``*`` are prefixes."""
    wanted = (re.escape(path[:-1]) if path.endswith("*") else rf"{re.escape(path)}(?:\?|$)" for path in paths)
    return f"{_SENT} ^(?:{'|'.join(wanted)})"


def block(head: str, lines: list[str]) -> str:
    return "\n".join(nested(head, lines)) + "\n"


def nested(head: str, lines: list[str]) -> list[str]:
    return [f"{head} {{".lstrip(), *(f"\t{line}" for line in lines), "}"]
