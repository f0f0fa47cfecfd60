"""Libraries that other libraries import wherever they are installed, and that a service does not use.

One environment holds what any service, tool or test needs. A library that is optional to another is imported from
there although nothing calls it, and its modules take memory in every process (decision 0044).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final, cast

OPTIONAL_LIBRARIES: Final[Mapping[str, str]] = {
    "aiohttp": "nats-py, for NATS over WebSocket",
    "bcrypt": "cryptography, for OpenSSH keys with a passphrase",
    "greenlet": "structlog, for context variables of greenlets",
    "h2": "httpcore, for HTTP/2",
    "opentelemetry.sdk.metrics": "redis-py, for metrics of its own",
    "rich": "structlog, for tracebacks on a terminal",
}
"""By the name it is imported by: which library imports it if it can, and what for."""


def leave_out_optional_libraries(*, used: frozenset[str] = frozenset()) -> None:
    """Lets the optional libraries be absent in this process; called before any of their importers is imported.

    Args:
        used: the optional libraries this service uses itself.
    """
    modules = cast("dict[str, Any]", sys.modules)
    for name in OPTIONAL_LIBRARIES.keys() - used:
        # An import that meets None in the place of a module raises `ModuleNotFoundError`.
        modules.setdefault(name, None)
