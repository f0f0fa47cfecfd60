"""Driving wrk, and reading the one line of results its scripts print."""

from __future__ import annotations

import asyncio
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

SCRIPTS: Final = Path(__file__).with_name("lua")
_LINE: Final = "BENCH "
_TIMEOUT: Final = 10
"""Seconds after which wrk counts a request as lost."""


class LoadFailed(RuntimeError):
    """wrk is missing, or did not finish its run; the text is the reason."""


class Errors(msgspec.Struct, frozen=True):
    """What went wrong, by kind; `answer` are answers with the wrong content, whatever their status."""

    connect: float = 0
    read: float = 0
    write: float = 0
    timeout: float = 0
    status: float = 0
    answer: float = 0

    def total(self) -> int:
        """All together; a bad answer with a bad status counts once."""
        return int(self.connect + self.read + self.write + self.timeout + max(self.status, self.answer))

    def __str__(self) -> str:
        """The kinds that occurred."""
        named = ((name, int(getattr(self, name))) for name in self.__struct_fields__)
        return ", ".join(f"{count} {name}" for name, count in named if count) or "none"


class Load(msgspec.Struct, frozen=True):
    """One run of wrk.

    Attributes:
        requests: HTTP requests that were answered.
        operations: whole operations; the same as requests unless one takes several.
        p50_us, p95_us, p99_us: of an operation. For operations of one request these are wrk's figures.
        first_bad: the first answer that was wrong.
        finished_requests: those that belong to whole operations; 0 where that is not known.
    """

    duration_us: float
    requests: float
    operations: float
    p50_us: float
    p95_us: float
    p99_us: float
    errors: Errors = Errors()
    first_bad: str = ""
    finished_requests: float = 0

    @property
    def worth(self) -> float:
        """Operations, with those that were under way at the end by the requests of theirs that were answered."""
        return self.operations * self.requests / self.finished_requests if self.finished_requests else self.operations

    @property
    def per_second(self) -> float:
        """Operations a second."""
        return self.operations * 1e6 / self.duration_us if self.duration_us else 0.0


@dataclass(frozen=True, slots=True)
class Drive:
    """How long and how hard.

    Args:
        seconds: length of a run.
        connections: requests under way at the same time.
    """

    seconds: int
    connections: int = 32


@dataclass(frozen=True, slots=True)
class Course:
    """What is driven.

    Args:
        address: scheme, host and port.
        script: name of a file in ``lua``, without its ending.
        plan: file with the script's plan.
        chained: one connection per thread, because an operation is several requests.
    """

    address: str
    script: str
    plan: Path
    chained: bool = False


def command(course: Course, drive: Drive) -> list[str]:
    """The command line of one run."""
    threads = drive.connections if course.chained else 1
    return [
        *("wrk", f"-t{threads}", f"-c{drive.connections}", f"-d{drive.seconds}s"),
        *(f"--timeout={_TIMEOUT}s", "-s", str(SCRIPTS / f"{course.script}.lua"), course.address),
    ]


async def run(course: Course, drive: Drive) -> Load:
    """Runs wrk once.

    Raises:
        LoadFailed: when there is no wrk, or it printed no results.
    """
    if shutil.which("wrk") is None:
        raise LoadFailed("There is no wrk: install the package wrk (scripts/wrk.sh does).")
    environment = {**os.environ, "BENCH_PLAN": str(course.plan), "LUA_PATH": f"{SCRIPTS}/?.lua;;"}
    process = await asyncio.create_subprocess_exec(
        *command(course, drive),
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(drive.seconds + 3 * _TIMEOUT):
            output, _ = await process.communicate()
    except BaseException:
        if process.returncode is None:
            process.kill()
            await process.wait()
        raise
    return parse(output.decode(errors="replace"))


def parse(output: str) -> Load:
    """Reads what a script printed at the end of a run.

    Raises:
        LoadFailed: when the line is not there or not whole; the text ends with the output of wrk.
    """
    lines = [line.removeprefix(_LINE) for line in output.splitlines() if line.startswith(_LINE)]
    try:
        found: Any = msgspec.json.decode(lines[-1], type=Load)
    except (IndexError, msgspec.MsgspecError):
        raise LoadFailed(f"wrk printed no results: {output.strip()[-500:]}") from None
    return found  # type: ignore[no-any-return]
