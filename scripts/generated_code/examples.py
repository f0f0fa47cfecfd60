"""Examples of requests and responses for the OpenAPI document; a test sends them to the API
(`libs/contracts/examples`).
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

FILE: Final = Path(__file__).resolve().parents[2] / "libs" / "contracts" / "examples" / "management-api.json"


class Example(NamedTuple):
    """One call of a method: all request members (path, query and body) and the response."""

    request: dict[str, Any]
    response: dict[str, Any]


@cache
def examples() -> dict[str, Example]:
    """Returns the examples by method name, without steps that only prepare data."""
    steps = json.loads(FILE.read_text())
    return {step["method"]: Example(step["request"], step["response"]) for step in steps if not step.get("setup")}
