"""The facts a transaction changes, which other services remember: marked before its commit, set after it (decision 0039)."""

from __future__ import annotations

from typing import Final

import structlog
from portico_contracts.events import (
    APP_CHANGED,
    INSTANCE_CHANGED,
    ORG_CHANGED,
    PROJECT_CHANGED,
    PROJECT_GRANT_CHANGED,
    USER_CHANGED,
)
from portico_oauth.errors import ServiceError
from portico_runtime.facts import keys
from portico_runtime.facts.keys import VersionKey
from portico_runtime.facts.versions import Versions

from portico_users.kernel.entry import Entry
from portico_users.kernel.records import Record, version_of

log = structlog.get_logger("portico.facts")

_KINDS: Final = {
    APP_CHANGED.subject: keys.of_kind("app"),
    PROJECT_CHANGED.subject: keys.of_kind("project"),
    PROJECT_GRANT_CHANGED.subject: keys.of_kind("projectgrant"),
    INSTANCE_CHANGED.subject: keys.of_kind("instance"),
}
"""What authz and token remember besides users and organizations, by the event of a change."""


def changed_by(entry: Entry[Record]) -> tuple[VersionKey, ...]:
    """What an entry changes of what other services remember.

    A new user changes nothing: unknown users are not remembered. A new application does, since it was unknown before.
    """
    subject, id = entry.table.event.subject, entry.after.id
    if subject == USER_CHANGED.subject:
        return (keys.person(id),) if entry.before is not None else ()
    if subject == ORG_CHANGED.subject:
        return keys.organization(id), keys.anything()
    return (_KINDS[subject], keys.anything()) if subject in _KINDS else ()


class ChangedFacts:
    """The facts of one transaction, which may be run several times: only the last run counts."""

    def __init__(self, versions: Versions, change: str) -> None:
        """Knows no facts yet.

        Args:
            change: see `portico_runtime.facts.versions.new_change`.
        """
        self._versions = versions
        self._change = change
        self._facts: dict[VersionKey, str] = {}
        self._marked: set[VersionKey] = set()
        self._decided = False

    def begin_again(self) -> None:
        """The transaction runs anew: what was marked stays marked, and gets no version unless it changes again."""
        self._facts = dict.fromkeys(self._marked, "")
        self._decided = False

    def add(self, entry: Entry[Record], record: Record) -> None:
        """Adds what an entry changes."""
        for key in changed_by(entry):
            self._facts[key] = version_of(record) if key.slot != keys.DIRECTORY else self._change

    async def mark(self) -> None:
        """Marks them as changing, as the last step before the commit.

        Raises:
            ServiceError: `unavailable`: then there must be no commit.
        """
        self._marked.update(self._facts)
        await self._versions.begin(self._change, self._facts)
        self._decided = True

    async def set(self) -> None:
        """Sets their versions after the commit. Where that fails the marks stay, and users is asked."""
        await self._finish(self._facts)

    async def withdraw(self) -> None:
        """Takes the marks away after a transaction that certainly was not committed; else they stay until they are old.

        What was never marked has the version it had, which is right.
        """
        if not self._decided:
            await self._finish(dict.fromkeys(self._marked, ""))

    async def _finish(self, facts: dict[VersionKey, str]) -> None:
        if not facts:
            return
        try:
            await self._versions.finish(self._change, facts)
        except ServiceError as error:
            log.warning("cache versions not updated", facts=len(facts), error_code=error.id)
