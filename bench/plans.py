"""Plans for the Lua scripts: plain values written as a Lua table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

PlanValue = str | int | bool | Sequence["PlanValue"] | Mapping[str, "PlanValue"]
"""What a plan may hold."""

_ESCAPED: Final = re.compile(rb'[^ -~]|["\\]')


def write_plan(path: Path, plan: Mapping[str, PlanValue]) -> Path:
    """Writes a plan (mode 600: plans hold tokens and secrets). Returns the path."""
    path.touch(mode=0o600)
    path.write_text(f"return {lua(plan)}\n", encoding="ascii")
    return path


def lua(value: PlanValue) -> str:
    """A value as a Lua expression."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return f'"{_ESCAPED.sub(_escaped, value.encode()).decode("ascii")}"'
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"[{lua(name)}] = {lua(member)}" for name, member in value.items()) + "}"
    return "{" + ", ".join(lua(member) for member in value) + "}"


def _escaped(found: re.Match[bytes]) -> bytes:
    # Three digits always: a digit that follows must not be read as part of the escape.
    return b"\\%03d" % found[0][0]
