"""A date with its time in the languages of the pages, from the Unicode CLDR that Babel contains (Unicode License v3)."""

from __future__ import annotations

import json
import re
from typing import Final

from babel import Locale
from portico_contracts.languages import TAGS

FILE: Final = "libs/web/portico_web/date_formats.json"

_LOCALES: Final = {"en": "en_GB"}
"""English dates have the month in words after the day, which is read alike on both sides of the Atlantic."""

_FIELDS: Final = {
    "d": "{day}",
    "M": "{month}",
    "MMMM": "{month_name}",
    "y": "{year}",
    "H": "{hour}",
    "HH": "{hour:02}",
    "h": "{half_hour}",
    "mm": "{minute:02}",
    "a": "{half}",
}
"""Fields of CLDR patterns (UTS 35), as `portico_web.dates` names them."""

_PARTS: Final = re.compile(r"'([^']*)'|(([a-zA-Z])\3*)")


def date_formats() -> dict[str, str]:
    """Returns one JSON text, with an object for each language."""
    formats = {tag: _format(Locale.parse(_LOCALES.get(tag, tag))) for tag in TAGS}
    return {FILE: json.dumps(formats, indent=1, ensure_ascii=False, sort_keys=True) + "\n"}


def _format(locale: Locale) -> dict[str, object]:
    date, time = _fields(locale.date_formats["long"].pattern), _fields(locale.time_formats["short"].pattern)
    months, halves = locale.months["format"]["wide"], locale.day_periods["format"]["abbreviated"]
    return {
        "pattern": str(locale.datetime_formats["medium"]).format(time, date),
        "months": [months[number] for number in range(1, 13)],
        "halves": [halves["am"], halves["pm"]],
    }


def _fields(pattern: str) -> str:
    return _PARTS.sub(lambda part: _FIELDS[part[2]] if part[2] else part[1], pattern)
