"""The answer of a service at /readyz, by its parts."""

from __future__ import annotations

import msgspec


def parts(body: bytes) -> dict[str, str]:
    """The state of each part; none when the body is not the answer of a service."""
    try:
        return msgspec.json.decode(body, type=dict[str, str])
    except msgspec.MsgspecError:
        return {}


def not_ok(body: bytes) -> list[str]:
    """The parts that cannot be used or are degraded, each with its state."""
    return [f"{part}: {state}" for part, state in parts(body).items() if state != "ok"]
