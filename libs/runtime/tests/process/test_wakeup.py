"""Background work waits for a call, and looks by itself only at its sweep (decision 0089)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from portico_runtime.process.wakeup import Wakeup, together


class StoppedLoop(asyncio.SelectorEventLoop):
    """A loop whose timers never fire; records their delays."""

    def __init__(self) -> None:
        super().__init__()
        self.delays: list[float] = []

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Any = None
    ) -> asyncio.TimerHandle:
        self.delays.append(round(when - self.time(), 1))
        return super().call_at(when + 86_400, callback, *args, context=context)


def run(work: Coroutine[Any, Any, Any]) -> tuple[Any, list[float]]:
    """Returns the result, and the delays of all timers that were set."""
    loop = StoppedLoop()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        return runner.run(work), loop.delays


async def begin(waiting: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
    task = asyncio.create_task(waiting)
    for _ in range(3):
        await asyncio.sleep(0)
    return task


def test_call_ends_the_wait_at_once_and_once() -> None:
    """A call before the wait counts as well; the next wait needs another call."""

    async def work() -> list[bool]:
        wakeup = Wakeup()
        wakeup.set()
        before = await begin(wakeup.wait())
        again = await begin(wakeup.wait())
        ended = [before.done(), again.done()]
        wakeup.set()
        await asyncio.sleep(0)
        await again
        return ended

    ended, _ = run(work())
    assert ended == [True, False]


def test_sweeps_differ_between_replicas() -> None:
    """Without a call the wait takes 30 to 36 s, or a shorter time that the caller wants; long ones up to a second more,
    so that several end together.
    """

    async def work() -> None:
        for chance, seconds in ((0.0, 30.0), (1.0, 90.0), (1.0, 4.0), (1.0, 1.5)):
            waiting = await begin(Wakeup(iter((chance,)).__next__).wait(seconds))
            waiting.cancel()

    _, delays = run(work())
    assert [29.9 <= delays[0] < 31.0, 35.9 <= delays[1] < 37.0, 3.9 <= delays[2] < 5.0] == [True] * 3
    assert delays[3] == 1.5


def test_long_pauses_end_together() -> None:
    """Once a second; work of a tenth of a second does not make its period longer (decision 0089)."""

    async def work() -> list[float]:
        loop, began = asyncio.get_running_loop(), asyncio.get_running_loop().time()
        first = began + together(2.0)
        ends = []
        for late in (0.0, 0.05, 0.5):
            loop.time = lambda late=late: first + late  # type: ignore[method-assign,misc]
            ends.append(loop.time() + together(2.0) - first)
        return [round(end, 3) for end in ends]

    assert run(work())[0] == [2.0, 2.0, 3.0]


def test_cancelling_ends_a_wait_that_was_called() -> None:
    """Whichever step the call has reached, the cancellation is not lost."""

    async def work() -> list[bool]:
        ended = []
        for steps in range(4):
            wakeup = Wakeup()
            waiting = await begin(wakeup.wait())
            wakeup.set()
            for _ in range(steps):
                await asyncio.sleep(0)
            ended.append(waiting.done())
            waiting.cancel()
            await asyncio.wait([waiting])
            ended[-1] |= waiting.cancelled()
        return ended

    ended, _ = run(work())
    assert ended == [True] * 4
