"""The message classes of the well-known original's SDK (`tests-e2e/api_libraries`), in a process of Node.js."""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parents[3] / "tests-e2e" / "api_libraries"


async def written(kind: str, members: dict[str, Any]) -> bytes:
    """A message of the user package as the SDK serialises it.

    Args:
        kind: name of the message, without its package.
        members: its fields in JSON, by the SDK's names.
    """
    return base64.b64decode((await _asked({"type": kind, "json": members}))["bytes"])


async def read(kind: str, data: bytes) -> dict[str, Any]:
    """What the SDK reads in the bytes of a message: JSON, by the SDK's names."""
    members: dict[str, Any] = (await _asked({"type": kind, "bytes": base64.b64encode(data).decode()}))["json"]
    return members


async def _asked(question: dict[str, Any]) -> dict[str, Any]:
    process = await asyncio.create_subprocess_exec(
        "node", FOLDER / "sdk.mjs",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    answer, trouble = await process.communicate(json.dumps(question).encode())
    assert process.returncode == 0, trouble.decode()
    said: dict[str, Any] = json.loads(answer)
    return said
