from __future__ import annotations

from typing import Final

from portico_conversion.findings import Reports

LENGTH: Final = "the minimum length of passwords: from 8 to 72 here"

_LENGTHS: Final = range(8, 73)


def allowed_length(wanted: int, report: Reports) -> int:
    """Returns the nearest length that a policy can have; 0 is no rule of the source."""
    if wanted and wanted not in _LENGTHS:
        report(LENGTH, str(wanted))
    return min(max(wanted, _LENGTHS.start), _LENGTHS.stop - 1)
