"""Pytest plugin loaded by every test run: shared clock and bus fixtures."""

from __future__ import annotations

import sys
from collections.abc import Callable, MutableMapping
from functools import cache, partial
from importlib.util import find_spec
from typing import Any

import pytest
import structlog
from starlette import routing
from starlette.types import ASGIApp, Receive, Scope, Send

from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus


def pytest_configure() -> None:
    # httpx imports sniffio at each request; while it is missing, Python searches all of sys.path each time.
    if find_spec("sniffio") is None:
        sys.modules["sniffio"] = None  # type: ignore[assignment]
    # Tests create the same applications again and again, the console's with 664 paths.
    routing.compile_path = cache(routing.compile_path)
    routing.request_response = partial(_wrapped_at_first_request, routing.request_response)


@pytest.fixture(autouse=True)
def plain_logs() -> None:
    """Configures logs before every test: a command silences them, and the next test of the process would see none."""
    structlog.reset_defaults()
    # Until a service configures its log, structlog renders for a terminal, which takes five times as long.
    merge = structlog.contextvars.merge_contextvars
    structlog.configure(processors=[merge, structlog.dev.set_exc_info, structlog.processors.format_exc_info, _log_line])


def _log_line(_logger: Any, level: str, event: MutableMapping[str, Any]) -> str:
    """An event for the captured output of a failed test, the traceback below it."""
    exception = event.pop("exception", None)
    line = " ".join([f"[{level}]", str(event.pop("event")), *(f"{name}={value!r}" for name, value in event.items())])
    return f"{line}\n{exception}" if exception else line


def _wrapped_at_first_request(wrapped: Callable[[Any], ASGIApp], endpoint: Any) -> ASGIApp:
    """The framework inspects and wraps the endpoint of each route; direct routes never use that."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await wrapped(endpoint)(scope, receive, send)

    return app


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def bus() -> MemoryBus:
    return MemoryBus()
