"""Calls that end before everything is done, and answer how much is left."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

from portico_console.console_app.screens.requests import text
from portico_console.messages import message

PATIENCE: Final = 10.0
"""Seconds after which what is left waits for the user, who sees how much it is."""

NOT_DONE: Final = message("Not everything is done: %(count)s entries are left. Send the form again to continue.")


async def until_done(call: Callable[[], Awaitable[Any]], left: str) -> tuple[Any, int]:
    """Returns the last answer and what its field `left` has, which is empty for calls that do everything at once."""
    now = asyncio.get_running_loop().time
    until = now() + PATIENCE
    while True:
        answer = await call()
        count = text(answer, left) if left else ""
        if not count.isdecimal() or not int(count) or now() > until:
            return answer, int(count) if count.isdecimal() else 0
