from __future__ import annotations

import re
import time
from datetime import datetime
from typing import Any, Final

import click

_AGO: Final = re.compile(r"([0-9]{1,6})([smhd])")
_SECONDS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}


class PointInTime(click.ParamType[float]):
    """RFC 3339 with offset, or an age (``90m``, ``12h``, ``7d``); converted to unix seconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        text = str(value)
        if ago := _AGO.fullmatch(text):
            return max(time.time() - int(ago[1]) * _SECONDS[ago[2]], 0.0)
        try:
            given = datetime.fromisoformat(text)
        except ValueError:
            given = None
        if given is None or given.tzinfo is None:
            self.fail(
                f"{text!r} is neither a time with a UTC offset (2026-11-24T08:00:00Z) nor an age (12h)", param, ctx
            )
        return given.timestamp()
