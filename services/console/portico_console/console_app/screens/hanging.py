"""What ends with an object, counted before that is confirmed."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from portico_console.console_app.rights import Frame
from portico_console.console_app.screens.reading import Asked, read_rows
from portico_console.console_app.screens.requests import given
from portico_console.console_app.screens.screen import Screen
from portico_console.console_app.screens.table import BY_KEY
from portico_console.visit import Visit


class Hanging(NamedTuple):
    """Objects of one kind.

    Attributes:
        title: of their screen, in English; translated.
    """

    title: str
    total: int


async def hanging_on(visit: Visit, screen: Screen, frame: Frame) -> list[Hanging]:
    """How many of each kind there are, as far as the person may know; kinds of which there are none are left out."""
    known = [
        one for key in screen.hangs if (one := BY_KEY[key]).listing is not None and frame.may_call(one.listing.method)
    ]
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(read_rows(visit, one, Asked(), 1)) for one in known]
    found = [Hanging(one.title, task.result().total) for one, task in zip(known, tasks, strict=True)]
    found += await _counted(visit, screen, frame)
    return [one for one in found if one.total]


async def _counted(visit: Visit, screen: Screen, frame: Frame) -> list[Hanging]:
    usage = screen.usage
    if usage is None or not frame.may_call(usage.method):
        return []
    fields = given(visit, screen, usage.method)
    found = await visit.api.call(usage.method, fields, org=visit.path.get("org", ""))
    return [Hanging(title, int(found.get(field, 0))) for title, field in usage.counts]
