from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from portico_runtime.http_server.startup_gate import StartupGate
from portico_runtime.process.health import Health
from portico_runtime.service import lifespan
from starlette.applications import Starlette
from starlette.types import Message


class Dependency:
    """Fails its check a number of times, then succeeds."""

    def __init__(self, usable_after: int) -> None:
        self.asked = 0
        self._usable_after = usable_after

    async def check(self) -> None:
        self.asked += 1
        if self.asked <= self._usable_after:
            raise ConnectionError


async def _start(dependency: Dependency, *, stopping: Callable[[], bool], at_most: float) -> list[str]:
    """Returns the start-up messages that the server receives, in order."""
    health = Health()
    health.add("dependency", dependency.check)
    app = StartupGate(Starlette(lifespan=lifespan([])), health, stopping=stopping, at_most=at_most)
    sent: list[str] = []
    inbox: asyncio.Queue[Message] = asyncio.Queue()
    inbox.put_nowait({"type": "lifespan.startup"})

    async def send(message: Message) -> None:
        sent.append(message["type"])
        inbox.put_nowait({"type": "lifespan.shutdown"})

    await app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, inbox.get, send)
    return sent


async def test_start_up_completes_when_dependencies_answer() -> None:
    """The port opens when every check passes, and not before (FD-12)."""
    dependency = Dependency(usable_after=3)
    sent = await _start(dependency, stopping=lambda: False, at_most=30.0)

    assert sent[0] == "lifespan.startup.complete"
    assert dependency.asked == 4


@pytest.mark.parametrize(("stopping", "at_most"), [(True, 30.0), (False, 0.0)], ids=["told to stop", "time is over"])
async def test_start_up_wait_is_limited(stopping: bool, at_most: float) -> None:
    """An unavailable dependency delays neither shutdown nor start-up for long (FD-17)."""
    sent = await _start(Dependency(usable_after=10**9), stopping=lambda: stopping, at_most=at_most)

    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
