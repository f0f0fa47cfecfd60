"""Driving wrk: the plan its scripts read, and the one line of results they print."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from bench.target import BenchFailed

PlanValue = str | int | bool | Sequence["PlanValue"] | Mapping[str, "PlanValue"]
Plan = Mapping[str, PlanValue]

SCRIPTS: Final = Path(__file__).with_name("lua")
_LINE: Final = "BENCH "
_TIMEOUT: Final = 10  # seconds after which wrk counts a request as lost
_ESCAPED: Final = re.compile(rb'[^ -~]|["\\]')


class Load(msgspec.Struct, frozen=True):
    """What one run did.

    Attributes:
        requests, finished_requests: that were answered; those of whole operations, or 0 where that is not known.
        errors: by kind; `answer` are answers with the wrong content, whatever their status.
    """

    duration_us: float
    requests: float
    operations: float
    p50_us: float
    p95_us: float
    p99_us: float
    errors: dict[str, float] = {}
    first_bad: str = ""
    finished_requests: float = 0

    @property
    def worth(self) -> float:
        """Operations, with those that were under way at the end by the requests of theirs that were answered."""
        return self.operations * self.requests / self.finished_requests if self.finished_requests else self.operations

    @property
    def per_second(self) -> float:
        return self.operations * 1e6 / self.duration_us if self.duration_us else 0.0

    def problem(self) -> str:
        """The errors with the first bad answer; empty when there were none."""
        found = ", ".join(f"{count:.0f} {name}" for name, count in self.errors.items() if count)
        if not found and self.operations:
            return ""
        return f"{found or 'nothing'} of {self.requests:.0f} requests; {self.first_bad or 'no answer to show'}"


class Drive(NamedTuple):
    """How long, and how many requests are under way at the same time."""

    seconds: int
    connections: int


async def run(address: str, script: str, plan: Path, drive: Drive, *, chained: bool = False) -> Load:
    """Runs wrk once with a script of ``lua``; chained is one connection per thread, for operations of several requests."""
    if shutil.which("wrk") is None:
        raise BenchFailed("There is no wrk: install the package wrk (scripts/wrk.sh does).")
    process = await asyncio.create_subprocess_exec(
        *("wrk", f"-t{drive.connections if chained else 1}", f"-c{drive.connections}", f"-d{drive.seconds}s"),
        *(f"--timeout={_TIMEOUT}s", "-s", str(SCRIPTS / f"{script}.lua"), address),
        env={**os.environ, "BENCH_PLAN": str(plan), "LUA_PATH": f"{SCRIPTS}/?.lua;;"},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(drive.seconds + 3 * _TIMEOUT):
            output, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return parse(output.decode(errors="replace"))


def parse(output: str) -> Load:
    """Reads what a script printed at the end of a run; the text of the failure ends with the output of wrk."""
    lines = [line.removeprefix(_LINE) for line in output.splitlines() if line.startswith(_LINE)]
    try:
        return msgspec.json.decode(lines[-1], type=Load)
    except (IndexError, msgspec.MsgspecError):
        raise BenchFailed(f"wrk printed no results: {output.strip()[-500:]}") from None


def write_plan(path: Path, plan: Plan) -> Path:
    """Writes a plan (mode 600: plans hold tokens and secrets). Returns the path."""
    path.touch(mode=0o600)
    path.write_text(f"return {lua(plan)}\n", encoding="ascii")
    return path


def lua(value: PlanValue) -> str:
    """A value as a Lua expression."""
    if isinstance(value, bool | int):
        return str(value).lower()
    if isinstance(value, str):
        # Three digits always: a digit that follows must not be read as part of the escape.
        escaped = _ESCAPED.sub(lambda found: b"\\%03d" % found[0][0], value.encode())
        return f'"{escaped.decode("ascii")}"'
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"[{lua(name)}] = {lua(member)}" for name, member in value.items()) + "}"
    return "{" + ", ".join(lua(member) for member in value) + "}"
