"""A point in time, as an operator types it."""

from __future__ import annotations

import re
import time
from datetime import datetime
from typing import Any, Final

import click

_AGO: Final = re.compile(r"([0-9]{1,6})([smhd])")
_SECONDS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}


class PointInTime(click.ParamType[float]):
    """RFC 3339 with its offset, or how long ago (``90m``, ``12h``, ``7d``); unix seconds for the command."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The time in unix seconds; anything else is used wrongly (status 2)."""
        text = str(value)
        if ago := _AGO.fullmatch(text):
            return time.time() - int(ago[1]) * _SECONDS[ago[2]]
        try:
            given = datetime.fromisoformat(text)
        except ValueError:
            given = None
        if given is None or given.tzinfo is None:
            self.fail(
                f"{text!r} is neither a time with a UTC offset (2026-11-24T08:00:00Z) nor an age (12h)", param, ctx
            )
        return given.timestamp()
