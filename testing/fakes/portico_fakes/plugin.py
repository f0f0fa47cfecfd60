"""A pytest plugin every test run loads: a clock and a bus that many tests share."""

from __future__ import annotations

import pytest

from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus


@pytest.fixture
def clock() -> FrozenClock:
    """A clock that shows a fixed time."""
    return FrozenClock()


@pytest.fixture
def bus() -> MemoryBus:
    """A bus in memory."""
    return MemoryBus()
