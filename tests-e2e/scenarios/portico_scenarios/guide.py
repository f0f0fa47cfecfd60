"""Runs the command blocks of a guide in one shell."""

from __future__ import annotations

import asyncio
import re
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

_BLOCK: Final = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECONDS: Final = 180.0
"""Seconds after which a block is considered to hang."""


class Ran(NamedTuple):
    """The output of a block and the status of its last command."""

    status: int
    output: str


def blocks_of(guide: Path) -> list[str]:
    return [found[1] for found in _BLOCK.finditer(guide.read_text(encoding="utf-8"))]


def replaced(text: str, replacements: Mapping[str, str]) -> str:
    """Replaces every key with its value: each place once, and a port never as the beginning of a longer one."""
    said = "|".join(map(re.escape, replacements))
    return re.sub(rf"(?:{said})(?!\d)", lambda found: replacements[found[0]], text)


class Reader:
    """A shell for a guide.

    Args:
        replacements: local substitutes for texts of the guide, such as addresses and installed packages.
    """

    def __init__(self, process: asyncio.subprocess.Process, replacements: Mapping[str, str]) -> None:
        self._process = process
        self._replacements = replacements

    @classmethod
    async def begin(cls, folder: Path, environment: Mapping[str, str], replacements: Mapping[str, str]) -> Reader:
        process = await asyncio.create_subprocess_exec(
            "bash", "--norc", cwd=folder, env=dict(environment), start_new_session=True,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        return cls(process, replacements)

    async def run(self, block: str, pasted: str = "") -> Ran:
        """Runs a block to its end.

        Args:
            pasted: input for a block that waits for a line.
        """
        end = f"end-{uuid.uuid4().hex}"
        text = self.translated(block)
        if pasted:
            text = re.sub(r"^(read .*?)( &&.*)?$", rf"\1 <<<'{pasted}'\2", text, flags=re.MULTILINE)
        await self._type(f"{text}\nstatus=$?; echo; echo {end} $status\n")
        output = ""
        async with asyncio.timeout(SECONDS):
            while found := await self._line():
                if match := re.match(rf"{end} (\d+)", found):
                    return Ran(int(match[1]), output)
                output += found
        raise AssertionError(f"the shell ended: {output}")

    async def leave_running(self, block: str, pasted: str = "") -> None:
        """Starts a block whose last command does not end; its output is written to `running.log` of its folder."""
        first, last = block.rstrip().rpartition("\n")[::2]
        ran = await self.run(first, pasted)
        assert ran.status == 0, ran.output
        await self._type(f"{self.translated(last)} >running.log 2>&1 &\n")

    def translated(self, text: str) -> str:
        return replaced(text, self._replacements)

    async def end(self) -> None:
        """Closes the terminal and kills its processes."""
        await self._type("kill $(jobs -p) 2>/dev/null; exit\n")
        await self._process.wait()

    async def _type(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(text.encode())
        await self._process.stdin.drain()

    async def _line(self) -> str:
        assert self._process.stdout is not None
        return (await self._process.stdout.readline()).decode(errors="replace")
