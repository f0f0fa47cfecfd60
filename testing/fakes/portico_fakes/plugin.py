"""A pytest plugin every test run loads: a clock and a bus that many tests share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from portico_fakes.clock import FrozenClock

if TYPE_CHECKING:
    from portico_fakes.memory_bus import MemoryBus


@pytest.fixture
def clock() -> FrozenClock:
    """A clock that shows a fixed time."""
    return FrozenClock()


@pytest.fixture
def bus() -> MemoryBus:
    """A bus in memory."""
    from portico_fakes.memory_bus import MemoryBus

    return MemoryBus()
