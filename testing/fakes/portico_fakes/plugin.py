"""A pytest plugin every test run loads: a clock and a bus that many tests share."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import pytest
import structlog

from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus


def pytest_configure() -> None:
    """Leaves out what takes processor time in every test and shows nothing."""
    # httpx imports it at each request, and Python searches every folder of sys.path for a module that is missing.
    if find_spec("sniffio") is None:
        sys.modules["sniffio"] = None  # type: ignore[assignment]
    # Until a service configures its log, rich renders each exception that is logged with all its local variables.
    renderer = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[*structlog.get_config()["processors"][:-1], renderer])


@pytest.fixture
def clock() -> FrozenClock:
    """A clock that shows a fixed time."""
    return FrozenClock()


@pytest.fixture
def bus() -> MemoryBus:
    """A bus in memory."""
    return MemoryBus()
