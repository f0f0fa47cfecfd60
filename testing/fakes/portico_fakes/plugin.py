"""Pytest plugin loaded by every test run: shared clock and bus fixtures."""

from __future__ import annotations

import sys
from collections.abc import Callable
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
    # Until a service configures its log, structlog uses rich, which renders all local variables of each exception.
    renderer = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[*structlog.get_config()["processors"][:-1], renderer])


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
