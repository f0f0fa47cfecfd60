"""Answers of ZITADEL's API, which have what its export does not contain."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from portico_conversion.applications.zitadel.apps import ClientIds
from portico_conversion.applications.zitadel.providers import Provider, read_provider
from portico_conversion.findings import Findings, Place, SourceError
from portico_conversion.reading.json_rows import rows_of
from portico_conversion.reading.records import MEMBER

NOT_AN_ANSWER: Final = "This is neither a ZITADEL export nor an answer of ListApps, ListProviders or ListIAMMembers."

_EMPTY: Final = frozenset({"details", "sortingColumn", "result"})
"""The members of an answer without results."""


class Answers:
    def __init__(self, findings: Findings) -> None:
        self.client_ids = ClientIds()
        self._providers: dict[str, Provider] = {}
        self.members: list[tuple[Place, Any]] = []
        self._findings = findings

    def read(self, path: Path) -> None:
        """Reads one answer; raises `SourceError` for any other file."""
        for place, value in rows_of(path, "result", self._report_other):
            if isinstance(value, dict) and "userId" in value and "roles" in value:
                self.members.append((place, value))
            elif isinstance(value, dict) and "details" in value and value.keys() <= _EMPTY:
                continue
            elif not isinstance(value, dict) or "id" not in value:
                raise SourceError(place, NOT_AN_ANSWER)
            elif "config" not in value:
                self.client_ids.add(place, value, self._findings)
            # An answer for an organization also has the providers of the instance, so they are in several answers.
            elif provider := read_provider(place, value, self._findings):
                self._providers.setdefault(provider.row.id, provider)

    def _report_other(self, place: Place, name: str) -> None:
        if name not in _EMPTY:
            self._findings.not_moved(place, "", MEMBER, name)

    @property
    def provider_ids(self) -> frozenset[str]:
        return frozenset(self._providers)

    def providers_of(self, org_id: str) -> list[Provider]:
        """Returns the providers of an organization, or for "" those of the instance."""
        return [one for one in self._providers.values() if one.org_id == org_id]
