from __future__ import annotations

import json
from typing import Any, Final

_OPENED: Final = (("paths", 2), ("components", 2))
"""Members that are expanded, and how many levels deep; everything else is one line."""


def openapi_text(document: dict[str, Any]) -> str:
    """Formats the document with one line per operation and schema, so that two releases can be compared by line."""
    depths = dict(_OPENED)
    members = [f"{_line(name)}: {_written(value, depths.get(name, 0), 1)}" for name, value in document.items()]
    return "{\n " + ",\n ".join(members) + "\n}\n"


def _written(value: dict[str, Any], depth: int, level: int) -> str:
    if not depth or not value:
        return _line(value)
    indent = "\n" + " " * (level + 1)
    members = [f"{_line(name)}: {_written(member, depth - 1, level + 1)}" for name, member in value.items()]
    return "{" + indent + f",{indent}".join(members) + "\n" + " " * level + "}"


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
