from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from portico_runtime.process.ending import end

from portico_stack.machine.full_disks import is_full, states_full_disk

READY_SECONDS: Final = 120.0
"""Default startup timeout; slow machines need most of it for MongoDB."""

FIRST_ATTEMPTS: Final = 3
_POLL: Final = 0.05
_SHORTEST: Final = 0.25
_LONGEST: Final = 10.0
_LARGE_LOG: Final = 10_000_000
_LONGEST_SILENCE: Final = 600.0
_HEALTHY: Final = 30.0
"""Seconds without a failure after which the back-off is reset."""

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_TIMERSLACK: Final = 29
_SLACK_NANOSECONDS: Final = 1_000_000
"""Timers may be late by as much, so that one wake-up serves several: an idle NATS wakes up half as often."""

_prctl: Final[Any] = getattr(ctypes.CDLL(None), "prctl", None)
"""Linux only."""


@dataclass(frozen=True, slots=True)
class Program:
    """What to run, and how to know that it works.

    Args:
        argv: never holds a secret: every user of the machine can read it.
        ready: raises until the program can be used; `NotReady` states what it waits for.
        env: the whole environment of the process.
        alive: raises unless the program works, although it may wait for others; None for one that waits for none.
        foreground: its input and output are the terminal's, instead of its log.
        folder: what it stores, to name a full disk; None for that of its log.
    """

    name: str
    argv: tuple[str, ...]
    ready: Callable[[], Awaitable[None]]
    env: Mapping[str, str] = field(default_factory=lambda: without_portico(os.environ))
    alive: Callable[[], Awaitable[None]] | None = None
    foreground: bool = False
    folder: Path | None = None


LIGHT_PYTHON: Final = {"MALLOC_ARENA_MAX": "1", "PYTHONUNBUFFERED": "1"}
"""glibc gives threads separate arenas, whose free memory cannot be returned to the system (decision 0044)."""


class NotReady(ConnectionError):
    pass


class StartFailed(RuntimeError):
    """A program ended before it was ready, or never became ready; the message names it and its log."""


class NotReadyInTime(StartFailed):
    pass


def without_portico(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if not name.startswith("PORTICO_")}


class Process:
    def __init__(
        self, program: Program, logs: Path, report: Callable[[str], None], ready_seconds: float = READY_SECONDS
    ) -> None:
        self.program = program
        self.log = logs / f"{program.name}.log"
        self.seconds = 0.0
        self.restarts = 0
        self.awaited = ""
        """What it waits for, in words; empty once it was ready."""
        self.ready_seconds = ready_seconds
        """Startup timeout, and how long a started program may be unresponsive."""
        self._report = report
        self._child: asyncio.subprocess.Process | None = None
        self._earlier_bytes = 0
        """Of the log, from before its last start."""
        self._keeping: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child and self._child.returncode is None else None

    async def start(self) -> None:
        """Returns once it is ready; raises StartFailed if it ended several times, or is not ready in time."""
        _set_aside(self.log)
        for attempt in range(FIRST_ATTEMPTS):
            try:
                await self._run_until_ready(self._give_up)
                break
            except NotReadyInTime:
                raise
            except StartFailed:
                if attempt == FIRST_ATTEMPTS - 1:
                    raise
                await asyncio.sleep(_SHORTEST * 2**attempt)
        self._keeping = asyncio.create_task(self._keep(), name=f"keep {self.program.name}")

    async def stop(self, seconds: float) -> None:
        """Sends SIGTERM, and after some seconds SIGKILL to the process group."""
        if self._keeping:
            await end(self._keeping)
            self._keeping = None
        await self._end(seconds)

    def send(self, number: signal.Signals) -> None:
        if self._child and self._child.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self._child.pid, number)

    async def _run_until_ready(self, out_of_time: Callable[[], Awaitable[None]]) -> None:
        began = time.perf_counter()
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as output:
            self._earlier_bytes = output.tell()
            self._child = await asyncio.create_subprocess_exec(
                *self.program.argv,
                env=dict(self.program.env),
                stdin=None if self.program.foreground else asyncio.subprocess.DEVNULL,
                stdout=None if self.program.foreground else output,
                stderr=None if self.program.foreground else output,
                start_new_session=True,  # a Ctrl-C at the terminal is ours to pass on, in order
                preexec_fn=prepare_child,
            )
        try:
            await self._wait_until_ready(out_of_time)
        except BaseException:
            await self._end(0)
            raise
        self.seconds = time.perf_counter() - began

    async def _wait_until_ready(self, out_of_time: Callable[[], Awaitable[None]]) -> None:
        child = self._child
        assert child is not None  # noqa: S101 - narrows the type
        patience = self.ready_seconds
        deadline = time.perf_counter() + patience
        while child.returncode is None:
            if await self._is_ready():
                return
            if time.perf_counter() > deadline:
                await out_of_time()
                patience = min(patience * 2, max(_LONGEST_SILENCE, self.ready_seconds))
                deadline = time.perf_counter() + patience
            await asyncio.sleep(_POLL)
        reason = "see above" if self.program.foreground else await asyncio.to_thread(self._reason)
        raise StartFailed(f"{self.program.name} {_how_it_ended(child.returncode)} before it was ready: {reason}")

    async def _is_ready(self) -> bool:
        try:
            async with asyncio.timeout(2.0):
                await self.program.ready()
        except Exception as error:  # whatever a check raises means: not ready yet
            self.awaited = str(error) if isinstance(error, NotReady) else "no response yet"
            return False
        self.awaited = ""
        return True

    async def _give_up(self) -> None:
        awaited = await asyncio.to_thread(self.full_disk) or self.awaited
        raise NotReadyInTime(
            f"{self.program.name} was not ready after {self.ready_seconds:.0f} s ({awaited}); see {self.log}"
        )

    def _reason(self) -> str:
        lines = self._output().strip().splitlines()
        last = lines[-1][:300] if lines else f"its log {self.log} is empty"
        return self.full_disk() or last

    def full_disk(self) -> str:
        """In words, where its disk is full by what it wrote since its last start; empty otherwise."""
        folder = self.program.folder or self.log.parent
        is_stated = states_full_disk(self._output()) or is_full(folder)
        return f"no space left on {folder}" if is_stated else ""

    def _output(self) -> str:
        with self.log.open("rb") as log:
            log.seek(self._earlier_bytes)
            return log.read().decode(errors="replace")

    async def _leave_alone_while_alive(self) -> None:
        """Restarting a service that waits for a store does not help (decision 0005); one that hangs is killed."""
        try:
            if self.program.alive is None:
                raise ConnectionError
            async with asyncio.timeout(2.0):
                await self.program.alive()
        except Exception:  # whatever it is: it does not answer
            await self._give_up()
        self._report(f"{self.program.name} is waiting ({self.awaited})")

    async def _keep(self) -> None:
        delay, healthy_since = _SHORTEST, time.monotonic()
        while True:
            if self._child:
                code = await self._child.wait()
                if time.monotonic() - healthy_since > _HEALTHY:
                    delay = _SHORTEST
                self._report(f"{self.program.name} {_how_it_ended(code)}; restarting it in {delay:.2g} s")
            await asyncio.sleep(delay)
            delay = min(delay * 2, _LONGEST)
            self.restarts += 1
            try:
                await self._run_until_ready(self._leave_alone_while_alive)
            except (StartFailed, OSError) as failure:  # the latter: no process, or no log, can be opened now
                self._child = None
                reason = failure if isinstance(failure, StartFailed) else f"{self.program.name}: {failure}"
                self._report(f"{reason}; next attempt in {delay:.2g} s")
                continue
            healthy_since = time.monotonic()
            self._report(f"{self.program.name} is ready again after {self.seconds:.1f} s")

    async def _end(self, seconds: float) -> None:
        child = self._child
        if child is None:
            return
        self.send(signal.SIGCONT)
        self.send(signal.SIGTERM)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await child.wait()
        self.send(signal.SIGKILL)
        await child.wait()
        self._child = None


def prepare_child() -> None:
    """Runs in the child before the program (Linux only): if the parent is killed, the child is too."""
    if _prctl:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        _prctl(_PR_SET_TIMERSLACK, _SLACK_NANOSECONDS)


def _set_aside(log: Path) -> None:
    if log.exists() and log.stat().st_size > _LARGE_LOG:
        log.replace(log.with_suffix(".log.1"))


def _how_it_ended(code: int | None) -> str:
    if code is not None and code < 0:
        return f"was stopped by {signal.Signals(-code).name}"
    return f"exited with status {code}"


def mebibytes(pids: Iterable[int]) -> float:
    """Proportional set size of the processes together: shared pages count once (Linux)."""
    return sum(_proportional_kib(pid) for pid in pids) / 1024


def _proportional_kib(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
