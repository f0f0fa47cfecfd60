from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Final

BEGIN: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"
"""A byte order mark, by which Excel recognizes UTF-8."""

_EVALUATED: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""First characters of a formula, or of what a spreadsheet removes before it."""


def csv_line(values: Sequence[str]) -> str:
    """Formats a line (RFC 4180); a value that a spreadsheet would evaluate begins with an apostrophe."""
    written = io.StringIO()
    csv.writer(written).writerow([f"'{one}" if one.startswith(_EVALUATED) else one for one in values])
    return written.getvalue()
