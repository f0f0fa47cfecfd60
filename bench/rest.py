"""What a local stack uses while no request arrives: ``python -m bench.rest --help`` (Linux).

Everything that ``portico up`` starts counts, and itself: the stores, the mail catcher and the demo relying party too.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from portico_contracts.catalogue import SERVICES
from portico_stack.installation.installation import find_installation
from portico_stack.processes.programs import mebibytes
from portico_stack.running.record import find_running

from bench.processes import families, read_stats
from bench.table import aligned
from bench.target import BenchFailed, say

STORES: Final = ("redis", "mongo", "nats")
SETTLE_SECONDS: Final = 20
"""After the start, whose work ends later than the stack is ready."""

_START_SECONDS: Final = 180
_PROGRAMS: Final = {
    "mongod": "mongo",
    "redis-server": "redis",
    "valkey-server": "redis",
    "nats-server": "nats",
    "haproxy": "gateway",
    "caddy": "gateway",
}
_MODULE: Final = re.compile(r"portico_(\w+)(?:\.([\w.]+))?")
_SOCKET: Final = re.compile(r":(\d+)\s+\S+:(\d+)\s.*pid=(\d+).*\bdata_segs_out:(\d+)")


@dataclass(slots=True)
class Use:
    """Of one component, all its processes together: shares of a core, the others per second."""

    core: float = 0.0
    wake_ups: float = 0.0
    mib: float = 0.0
    sent: dict[str, float] = field(default_factory=dict)
    """Segments sent to each store: as good as one per command or batch; empty where ss is missing."""


@dataclass(frozen=True, slots=True)
class Rest:
    """`replicas` of each service."""

    replicas: int
    seconds: int
    uses: Mapping[str, Use]


@dataclass(frozen=True, slots=True)
class _Reading:
    at: float
    nanoseconds: Mapping[int, int]
    switches: Mapping[int, int]
    segments: Mapping[tuple[int, str, int], int]
    """By process, store and local port."""


async def at_rest(replicas: int, seconds: int) -> Rest:
    """Starts a new stack and measures it after it has settled."""
    with TemporaryDirectory(prefix="portico-rest-", ignore_cleanup_errors=True) as folder:
        async with _up(Path(folder), replicas) as pid:
            await asyncio.sleep(SETTLE_SECONDS)
            installation = find_installation(Path(folder))
            ports = {installation.ports[store]: store for store in STORES} if installation else {}
            before = _read(pid, ports)
            await asyncio.sleep(seconds)
            after = _read(pid, ports)
            return Rest(replicas, seconds, _uses(pid, before, after))


@asynccontextmanager
async def _up(data: Path, replicas: int) -> AsyncIterator[int]:
    log, program = data / "up.log", Path(sys.executable).with_name("portico")
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *(str(program), "up", "--port", "0", "--data", str(data), "--replicas", str(replicas)),
            stdin=asyncio.subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
        )  # fmt: skip
    try:
        async with asyncio.timeout(_START_SECONDS):
            while find_running(data) is None and process.returncode is None:  # noqa: ASYNC110 - it writes a file
                await asyncio.sleep(0.2)
        if process.returncode is not None:
            raise BenchFailed(f"portico up ended: {log.read_text(errors='replace')[-500:]}")
        yield process.pid
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()


def _read(root: int, ports: Mapping[int, str]) -> _Reading:
    nanoseconds, switches = {}, {}
    for pid in families([root], read_stats()):
        with suppress(OSError):
            threads = list(Path(f"/proc/{pid}/task").iterdir())
            nanoseconds[pid] = sum(int((one / "schedstat").read_text().split()[0]) for one in threads)
            found = (
                re.search(r"^voluntary_ctxt_switches:\s+(\d+)", (one / "status").read_text(), re.M) for one in threads
            )
            switches[pid] = sum(int(one[1]) for one in found if one)
    return _Reading(time.perf_counter(), nanoseconds, switches, _segments(ports))


def _segments(ports: Mapping[int, str]) -> dict[tuple[int, str, int], int]:
    if shutil.which("ss") is None:
        return {}
    listed = subprocess.run(["ss", "-tniOpH", "state", "established"], capture_output=True, text=True, check=False)  # noqa: S607
    found = (_SOCKET.search(line) for line in listed.stdout.splitlines())
    return {
        (int(one[3]), ports[int(one[2])], int(one[1])): int(one[4]) for one in found if one and int(one[2]) in ports
    }


def _uses(root: int, before: _Reading, after: _Reading) -> dict[str, Use]:
    seconds, found = after.at - before.at, defaultdict[str, Use](Use)
    for pid, used in after.nanoseconds.items():
        name = "portico up" if pid == root else component(_command(pid))
        use = found[name]
        use.core += (used - before.nanoseconds.get(pid, used)) / 1e9 / seconds
        use.wake_ups += (after.switches[pid] - before.switches.get(pid, after.switches[pid])) / seconds
        use.mib += mebibytes([pid])
        for (sender, store, port), count in after.segments.items():
            if sender == pid:
                each = (count - before.segments.get((sender, store, port), 0)) / seconds
                use.sent[store] = use.sent.get(store, 0.0) + each
    order = ("gateway", *SERVICES, *STORES)
    return dict(sorted(found.items(), key=lambda one: order.index(one[0]) if one[0] in order else len(order)))


def _command(pid: int) -> list[str]:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace").strip("\0").split("\0")
    return ["ended"]


def component(command: Sequence[str]) -> str:
    """What a process is, by its command line; some programs replace theirs by one text."""
    words = [word for argument in command for word in argument.split(" ")]
    for word in words:
        if Path(word).name in _PROGRAMS:
            return _PROGRAMS[Path(word).name]
        if module := _MODULE.fullmatch(word):
            return (module[2] or module[1]).replace("_", "-")
    return Path(words[0]).name


def rest_table(rests: Sequence[Rest]) -> str:
    """In Markdown: a row per component, and the sum."""
    names = dict.fromkeys(name for rest in rests for name in rest.uses)
    head, rows = ["component"], [[name] for name in (*names, "together")]
    for rest in rests:
        uses = [rest.uses.get(name, Use()) for name in names]
        together = Use(sum(one.core for one in uses), sum(one.wake_ups for one in uses), sum(one.mib for one in uses))
        together.sent = {store: sum(one.sent.get(store, 0.0) for one in uses) for store in STORES}
        head += [f"% of a core ({rest.replicas})", "wake-ups /s", *(f"{store} /s" for store in STORES), "MiB"]
        for row, use in zip(rows, (*uses, together), strict=True):
            sent = (f"{use.sent.get(store, 0.0):.1f}" for store in STORES)
            row += [f"{use.core:.2%}"[:-1], f"{use.wake_ups:.1f}", *sent, f"{use.mib:.0f}"]
    return "\n".join(aligned(head, rows))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.rest", description="Measure a stack that is not used.")
    parser.add_argument("--replicas", type=int, nargs="+", default=[1, 2], help="of each service (default: 1 and 2)")
    parser.add_argument("--seconds", type=int, default=300, help="length of the measurement (default %(default)s)")
    options = parser.parse_args()
    try:
        rests = [asyncio.run(at_rest(replicas, options.seconds)) for replicas in options.replicas]
    except BenchFailed as problem:
        sys.stderr.write(f"bench: {problem}\n")
        return 2
    say(rest_table(rests))
    return 0


if __name__ == "__main__":
    sys.exit(main())
