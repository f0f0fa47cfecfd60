from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from portico_harness.eventually import HANGS
from portico_runtime.http_server.draining_server import DrainingServer
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


_PROGRAM = """
from uvicorn import Config
from portico_runtime.http_server.quiet_server import QuietServer

class Told(QuietServer):
    async def startup(self, sockets=None):
        await super().startup(sockets)
        print("started", flush=True)

Told(Config("no:app", host="127.0.0.1", port=0, log_config=None, lifespan="off")).run()
"""


@pytest.mark.slow
async def test_idle_server_ends_at_a_signal(tmp_path: Path) -> None:
    """A signal wakes up a server that waits for nothing else."""
    (tmp_path / "no.py").write_text("async def app(scope, receive, send): ...\n")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _PROGRAM, cwd=tmp_path, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(HANGS):
            assert await process.stdout.readline() == b"started\n"
            process.send_signal(signal.SIGTERM)
            assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
