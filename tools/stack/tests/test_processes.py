"""Process supervision: start, readiness, restart, stop, and no orphans."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from signal import Signals

import pytest
from portico_harness.eventually import HANGS
from portico_stack.processes.programs import NotReady, Process, Program, StartFailed

pytestmark = pytest.mark.slow

SLEEPER = "import pathlib, sys, time; pathlib.Path(sys.argv[1]).touch(); time.sleep(60)"
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + SLEEPER
FAILING = "print('the reason'); raise SystemExit(3)"


class Lines(list[str]):
    def __init__(self) -> None:
        super().__init__()
        self._said = asyncio.Event()

    def report(self, line: str) -> None:
        self.append(line)
        self._said.set()

    async def wait_for(self, words: str) -> None:
        async with asyncio.timeout(HANGS):
            while not any(words in line for line in self):
                self._said.clear()
                await self._said.wait()


def program(code: str, mark: Path) -> Program:
    """A Python program that is ready once it has touched a file."""

    async def ready() -> None:
        if not await asyncio.to_thread(mark.exists):
            raise ConnectionError

    return Program("sleeper", (sys.executable, "-c", code, str(mark)), ready, {"PATH": os.environ["PATH"]})


@asynccontextmanager
async def started(code: str, tmp_path: Path, report: Callable[[str], None]) -> AsyncIterator[Process]:
    process = Process(program(code, tmp_path / "mark"), tmp_path / "logs", report)
    await process.start()
    try:
        yield process
    finally:
        await process.stop(0)


def is_alive(pid: int) -> bool:
    """Reports whether the process exists and is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def test_killed_process_is_restarted_with_a_message(tmp_path: Path) -> None:
    """A crashed process is restarted, and a line reports it."""
    lines = Lines()
    async with started(SLEEPER, tmp_path, lines.report) as process:
        first = process.pid
        process.send(Signals.SIGKILL)
        await lines.wait_for("is ready again")

        assert lines[0] == "sleeper was stopped by SIGKILL; restarting it in 0.25 s"
        assert process.pid not in (None, first)
        assert process.restarts == 1


async def test_restarts_back_off(tmp_path: Path) -> None:
    """A process that keeps failing is restarted at growing intervals, and its last output is reported."""
    lines = Lines()
    async with started(SLEEPER, tmp_path, lines.report) as process:
        (tmp_path / "mark").unlink()
        process.program = program(FAILING, tmp_path / "mark")
        process.send(Signals.SIGKILL)
        await lines.wait_for("next attempt in 1 s")

    assert [line.rpartition(" in ")[2] for line in lines if "attempt in" in line or "restarting it in" in line] == [
        "0.25 s", "0.5 s", "1 s",
    ]  # fmt: skip
    assert "sleeper exited with status 3 before it was ready: the reason" in lines[1]


async def test_program_that_cannot_be_executed_is_restarted_later(tmp_path: Path) -> None:
    """A failed exec or fork, during an upgrade or without memory, does not end the supervision."""
    lines = Lines()
    async with started(SLEEPER, tmp_path, lines.report) as process:
        complete = process.program
        process.program = Program("sleeper", (str(tmp_path / "absent"),), complete.ready, {})
        process.send(Signals.SIGKILL)
        await lines.wait_for("sleeper: [Errno 2] No such file or directory")
        process.program = complete
        await lines.wait_for("is ready again")

        assert process.pid is not None


def waiting(mark: Path, alive: Callable[[], Awaitable[None]]) -> Program:
    """A program that waits for MongoDB until the file exists."""

    async def ready() -> None:
        if not await asyncio.to_thread(mark.exists):
            raise NotReady("mongo: does not respond")

    argv = (sys.executable, "-c", "import time; time.sleep(60)")
    return Program("sleeper", argv, ready, {"PATH": os.environ["PATH"]}, alive)


async def fine() -> None:
    pass


async def hangs() -> None:
    raise ConnectionError


async def test_restarted_service_waiting_for_a_store_is_not_restarted(tmp_path: Path) -> None:
    """A restarted service that waits for a store is alive, so it is reported and not restarted (decision 0005)."""
    lines, mark = Lines(), tmp_path / "mark"
    process = Process(program(SLEEPER, mark), tmp_path / "logs", lines.report, ready_seconds=5)
    await process.start()
    process.ready_seconds = 0.2
    mark.unlink()
    process.program = waiting(mark, fine)
    process.send(Signals.SIGKILL)
    await lines.wait_for("sleeper is waiting (mongo: does not respond)")
    pid = process.pid
    lines.clear()
    await lines.wait_for("sleeper is waiting")
    mark.touch()
    await lines.wait_for("is ready again")
    ended = (process.pid, process.restarts, process.awaited)
    await process.stop(0)

    assert pid is not None
    assert ended == (pid, 1, "")


async def test_hanging_restarted_service_is_restarted_again(tmp_path: Path) -> None:
    """A restarted service that does not respond is killed and restarted."""
    lines, mark = Lines(), tmp_path / "mark"
    process = Process(program(SLEEPER, mark), tmp_path / "logs", lines.report, ready_seconds=5)
    await process.start()
    process.ready_seconds = 0.2
    mark.unlink()
    process.program = waiting(mark, hangs)
    process.send(Signals.SIGKILL)
    await lines.wait_for("sleeper was not ready after 0 s (mongo: does not respond)")
    process.program = program(SLEEPER, mark)
    await lines.wait_for("is ready again")
    restarts = process.restarts
    await process.stop(0)

    assert restarts >= 2


async def test_start_timeout_names_the_missing_part(tmp_path: Path) -> None:
    """A start that times out names the missing part, without multiplying the timeout."""
    process = Process(waiting(tmp_path / "mark", fine), tmp_path / "logs", print, ready_seconds=0.3)
    with pytest.raises(StartFailed, match=r"^sleeper was not ready after 0 s \(mongo: does not respond\); see .*log$"):
        await process.start()

    assert process.pid is None


async def test_failing_start_is_one_message(tmp_path: Path) -> None:
    """A process that cannot start gives one error message after a few attempts."""
    process = Process(program(FAILING, tmp_path / "mark"), tmp_path / "logs", print)
    with pytest.raises(StartFailed, match=r"^sleeper exited with status 3 before it was ready: the reason$"):
        await process.start()

    assert process.pid is None


async def test_stop_kills_after_its_timeout(tmp_path: Path) -> None:
    """A process that does not stop within the timeout is killed."""
    async with started(STUBBORN, tmp_path, print) as process:
        pid = process.pid
        assert pid is not None
        began = time.monotonic()
        await process.stop(0.2)

        assert not is_alive(pid)
        assert time.monotonic() - began < 10


async def test_paused_process_is_stopped_too(tmp_path: Path) -> None:
    """A paused process ends when the stack stops."""
    async with started(SLEEPER, tmp_path, print) as process:
        pid = process.pid
        assert pid is not None
        process.send(Signals.SIGSTOP)
        await process.stop(5)

        assert not is_alive(pid)


async def test_timers_of_programs_may_be_a_millisecond_late(tmp_path: Path) -> None:
    """One wake-up then serves several timers (decision 0089)."""
    slack = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text(open('/proc/self/timerslack_ns').read()); "
    async with started(slack + SLEEPER, tmp_path, print):
        assert (tmp_path / "mark").read_text() == "1000000\n"


async def test_processes_die_with_their_parent(tmp_path: Path) -> None:
    """SIGKILL of the stack also ends all of its processes."""
    code = f"""
import asyncio, pathlib, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from portico_stack.processes.programs import Process
from test_processes import SLEEPER, program
async def main():
    process = Process(program(SLEEPER, pathlib.Path({str(tmp_path / "mark")!r})), pathlib.Path({str(tmp_path)!r}), print)
    await process.start()
    print(process.pid, flush=True)
    await asyncio.Event().wait()
asyncio.run(main())
"""
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    assert parent.stdout is not None
    pid = int(await parent.stdout.readline())
    assert is_alive(pid)
    parent.kill()
    await parent.wait()

    async with asyncio.timeout(HANGS):
        while is_alive(pid):  # noqa: ASYNC110 - the kernel notifies only the parent
            await asyncio.sleep(0)


FULL = "print('mongod: No space left on device'); print('  frame 1 of its backtrace'); raise SystemExit(14)"


async def test_full_disk_is_the_reason_of_a_program_that_ends(tmp_path: Path) -> None:
    """Its log ends with a backtrace; what it wrote at an earlier start does not count."""
    failures = []
    for code in (FULL, FAILING):
        process = Process(replace(program(code, tmp_path / "mark"), folder=tmp_path), tmp_path / "logs", print)
        with pytest.raises(StartFailed) as refused:
            await process.start()
        failures.append(str(refused.value).partition("ready: ")[2])

    assert failures == [f"no space left on {tmp_path}", "the reason"]


async def test_full_disk_is_the_reason_of_a_program_that_is_never_ready(tmp_path: Path) -> None:
    waits = "print('MISCONF: No space left on device', flush=True); import time; time.sleep(60)"
    process = Process(program(waits, tmp_path / "mark"), tmp_path / "logs", print, ready_seconds=1)
    with pytest.raises(StartFailed, match=f"was not ready after 1 s \\(no space left on {tmp_path / 'logs'}\\)"):
        await process.start()
