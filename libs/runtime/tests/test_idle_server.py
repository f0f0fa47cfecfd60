from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from portico_runtime.draining_server import DrainingServer
from uvicorn import Config


class StoppedLoop(asyncio.SelectorEventLoop):
    """A loop whose timers never fire; records their delays."""

    def __init__(self) -> None:
        super().__init__()
        self.delays: list[float] = []

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Any = None
    ) -> asyncio.TimerHandle:
        self.delays.append(when - self.time())
        return super().call_at(when + 86_400, callback, *args, context=context)


def test_idle_server_sets_no_timer_and_stops_at_once() -> None:
    loop = StoppedLoop()

    async def serve_and_end() -> bool:
        server = DrainingServer(Config("no:app", log_config=None))
        serving = asyncio.create_task(server.main_loop())
        await asyncio.sleep(0)
        server.should_exit = True
        for _ in range(10):
            await asyncio.sleep(0)
        ended = serving.done()
        serving.cancel()
        return ended

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        ended = runner.run(serve_and_end())

    assert ended
    assert loop.delays == []
