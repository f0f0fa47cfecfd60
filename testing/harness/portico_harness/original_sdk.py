"""Message classes of the original's SDK (`tests-e2e/api_libraries`), run in Node.js."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parents[3] / "tests-e2e" / "api_libraries"


class OriginalSdk:
    """The SDK in one process, because starting Node.js takes half a second of processor time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def written(self, kind: str, members: dict[str, Any]) -> bytes:
        """Serializes a message of the user package with the SDK.

        Args:
            kind: message name without package.
            members: fields in JSON, by the SDK's names.
        """
        return base64.b64decode((await self._asked({"type": kind, "json": members}))["bytes"])

    async def read(self, kind: str, data: bytes) -> dict[str, Any]:
        """Parses a message with the SDK; returns JSON with the SDK's names."""
        question = {"type": kind, "bytes": base64.b64encode(data).decode()}
        members: dict[str, Any] = (await self._asked(question))["json"]
        return members

    async def _asked(self, question: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        self._process.stdin.write(json.dumps(question).encode() + b"\n")
        answer = await self._process.stdout.readline()
        assert answer, (await self._process.stderr.read()).decode()
        said: dict[str, Any] = json.loads(answer)
        return said


@asynccontextmanager
async def original_sdk() -> AsyncIterator[OriginalSdk]:
    process = await asyncio.create_subprocess_exec(
        "node", FOLDER / "sdk.mjs",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield OriginalSdk(process)
    finally:
        await process.communicate(b"")
