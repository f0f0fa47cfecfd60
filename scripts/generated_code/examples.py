"""Examples of requests and answers for the OpenAPI document, which a test sends to the API (`libs/contracts/examples`)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

FILE: Final = Path(__file__).resolve().parents[2] / "libs" / "contracts" / "examples" / "management-api.json"


class Example(NamedTuple):
    """One call of a method: the members of its request, wherever they are sent, and the answer."""

    request: dict[str, Any]
    response: dict[str, Any]


@cache
def examples() -> dict[str, Example]:
    """By the name of the method; steps that only set the story up are none."""
    steps = json.loads(FILE.read_text())
    return {step["method"]: Example(step["request"], step["response"]) for step in steps if not step.get("setup")}
