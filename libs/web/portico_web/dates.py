"""Dates as emails show them: no script of a reader's browser adapts them. The formats are generated from the CLDR."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from functools import cache
from importlib.resources import files
from typing import Final
from zoneinfo import ZoneInfo

import msgspec

_LONGEST_ZONE: Final = 60


class _Format(msgspec.Struct, frozen=True):
    pattern: str
    months: tuple[str, ...]
    halves: tuple[str, str]


def date_with_zone(at: float, language: str, zone: str = "") -> str:
    """Returns a date with its time and the zone that both are in, such as 29 November 2026, 23:45 (Europe/Zurich).

    Args:
        at: in unix seconds.
        language: the tag of a supported language.
        zone: a name of the IANA time zone database; UTC for an empty or unknown one.
    """
    found, form = _zone(zone), _formats()[language]
    date = datetime.fromtimestamp(at, found or UTC)
    shown = form.pattern.format(
        day=date.day,
        month=date.month,
        month_name=form.months[date.month - 1],
        year=date.year,
        hour=date.hour,
        minute=date.minute,
        half_hour=date.hour % 12 or 12,
        half=form.halves[date.hour // 12],
    )
    return f"{shown} ({zone})" if found else f"{shown} UTC"


def _zone(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name) if 0 < len(name) <= _LONGEST_ZONE else None
    except (ValueError, OSError, KeyError):  # ZoneInfoNotFoundError is a KeyError; the name of a folder an OSError
        return None


@cache
def _formats() -> dict[str, _Format]:
    content = files("portico_web").joinpath("date_formats.json").read_bytes()
    return msgspec.json.decode(content, type=dict[str, _Format])
