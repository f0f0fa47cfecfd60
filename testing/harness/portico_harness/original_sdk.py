"""Message classes of the original's SDK (`tests-e2e/api_libraries`), run in Node.js."""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parents[3] / "tests-e2e" / "api_libraries"


async def written(kind: str, members: dict[str, Any]) -> bytes:
    """Serializes a message of the user package with the SDK.

    Args:
        kind: message name without package.
        members: fields in JSON, by the SDK's names.
    """
    return base64.b64decode((await _asked({"type": kind, "json": members}))["bytes"])


async def read(kind: str, data: bytes) -> dict[str, Any]:
    """Parses a message with the SDK; returns JSON with the SDK's names."""
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
