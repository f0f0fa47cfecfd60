"""Blocks imports of optional dependencies that a service does not use.

They take memory (decision 0044). One that is not installed is searched for again by each import.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final, cast

OPTIONAL_LIBRARIES: Final[Mapping[str, str]] = {
    "aiohttp": "nats-py, for NATS over WebSocket",
    "bcrypt": "cryptography, for OpenSSH keys with a passphrase",
    "colorama": "structlog, for colors on Windows",
    "greenlet": "structlog, for context variables of greenlets",
    "opentelemetry.sdk.metrics": "redis-py, for its own metrics",
    "rich": "structlog, for tracebacks on a terminal",
    "watchfiles": "uvicorn, for restarts when code changes",
}
"""By import name: the library that imports it, and the feature."""


def leave_out_optional_libraries(*, used: frozenset[str] = frozenset()) -> None:
    """Call before importing the importers of optional libraries; `used` are those this service needs."""
    modules = cast("dict[str, Any]", sys.modules)
    for name in OPTIONAL_LIBRARIES.keys() - used:
        # None in `sys.modules` makes the import raise `ModuleNotFoundError`.
        modules.setdefault(name, None)
