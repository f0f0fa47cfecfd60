"""The request id: set at the edge, carried in headers, logged, and shown in errors."""

from __future__ import annotations

import re
from contextvars import ContextVar
from typing import Final

REQUEST_ID: Final[ContextVar[str]] = ContextVar("portico_request_id", default="-")
TRACE_PARENT: Final[ContextVar[str]] = ContextVar("portico_trace_parent", default="")
"""The current W3C traceparent; empty without one."""

REQUEST_ID_HEADER: Final = "X-Request-Id"
TRACE_PARENT_HEADER: Final = "traceparent"
REQUEST_START_HEADER: Final = "X-Request-Start"
"""When the gateway received the head of a request: ``t=`` and Unix time in microseconds or milliseconds."""

_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{8,64}\Z")
_TRACE_PARENT: Final = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}\Z")


def is_request_id(text: str) -> bool:
    """Returns whether the text can be shown and logged without escaping."""
    return bool(_REQUEST_ID.match(text))


def is_trace_parent(text: str) -> bool:
    return bool(_TRACE_PARENT.match(text))
