"""Runs the `portico` command and inspects the processes it leaves running."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Final, NamedTuple

PORTICO: Final = Path(sys.executable).with_name("portico")


class Ran(NamedTuple):
    status: int
    output: str

    @property
    def lines(self) -> list[str]:
        return self.output.splitlines()


class Running(NamedTuple):
    command: str
    environment: str


async def portico(*arguments: str | Path) -> Ran:
    process = await asyncio.create_subprocess_exec(
        PORTICO, *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    printed, _ = await process.communicate()
    return Ran(process.returncode or 0, printed.decode())


def processes_of(data: Path) -> dict[int, Running]:
    """Returns the processes that name the data directory in arguments or environment, by process id."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command, environment = (entry / "cmdline").read_bytes(), (entry / "environ").read_bytes()
        except OSError:  # it ended meanwhile, or belongs to another user
            continue
        if str(data).encode() in command + environment:
            found[int(entry.name)] = Running(*(text.decode(errors="replace") for text in (command, environment)))
    return found
