from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from portico_conversion.findings import Findings, Reports
from portico_conversion.reading.records import AT_THE_SOURCE, MEMBER

_OFF: Final = ("", "false", "0", "-1")


class ReadMembers:
    """A mapping of texts, such as the `config` of an object, that knows which members were read."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values
        self._read: set[str] = set()

    def get(self, name: str, default: str = "") -> str:
        self._read.add(name)
        return self._values.get(name, default)

    def report_others(self, report: Reports, findings: Findings, usual: Collection[str] = ()) -> None:
        """Reports the members that were not read and are not switched off; `usual` ones are only counted."""
        for name, value in self._values.items():
            if name in self._read or value in _OFF:
                continue
            if name in usual:
                findings.counted(f"{AT_THE_SOURCE}: config.{name}")
            else:
                report(MEMBER, f"config.{name}")
