"""Marks data cached by other services before a commit, and sets its versions after it (decision 0039)."""

from __future__ import annotations

from typing import Final

import structlog
from portico_contracts.events import (
    APP_CHANGED,
    GROUP_CHANGED,
    IDP_CHANGED,
    INSTANCE_CHANGED,
    ORG_CHANGED,
    PROJECT_CHANGED,
    PROJECT_GRANT_CHANGED,
    USER_CHANGED,
    WEBHOOK_CHANGED,
)
from portico_oauth.errors import ServiceError
from portico_runtime.versioned_cache import keys
from portico_runtime.versioned_cache.keys import VersionKey
from portico_runtime.versioned_cache.versions import Versions

from portico_users.storage.entry import Entry
from portico_users.values.records import Record, version_of

log = structlog.get_logger("portico.facts")

_KINDS: Final = {
    APP_CHANGED.subject: keys.of_kind("app"),
    PROJECT_CHANGED.subject: keys.of_kind("project"),
    PROJECT_GRANT_CHANGED.subject: keys.of_kind("projectgrant"),
    INSTANCE_CHANGED.subject: keys.of_kind("instance"),
    IDP_CHANGED.subject: keys.of_kind("idp"),
    GROUP_CHANGED.subject: keys.of_kind("group"),
    WEBHOOK_CHANGED.subject: keys.of_kind("webhook"),
}
"""Data other than users and organizations that authz and token cache, by event."""


_GIVERS: Final = (GROUP_CHANGED.subject, IDP_CHANGED.subject)

_UNKNOWN_BEFORE: Final = (USER_CHANGED.subject, GROUP_CHANGED.subject)


def changed_by(entry: Entry[Record]) -> tuple[VersionKey, ...]:
    """A new user or group changes no cached data, because unknown ones are not cached; unknown applications are."""
    subject, id = entry.table.event.subject, entry.after.id
    if entry.before is None and subject in _UNKNOWN_BEFORE:
        return ()
    if subject == USER_CHANGED.subject:
        return (keys.user(id),)
    if subject == ORG_CHANGED.subject:
        return keys.organization(id), keys.anything()
    return (_KINDS[subject], keys.anything()) if subject in _KINDS else ()


class ChangedVersions:
    """The cached data that a transaction changes. Of repeated runs of the transaction only the last one counts.

    Attributes:
        leased: the changes of groups and providers, with their times; the versions of users who have something by
            them stay as they are.
    """

    def __init__(self, versions: Versions, change: str) -> None:
        self._versions = versions
        self._change = change
        self._facts: dict[VersionKey, str] = {}
        self._marked: set[VersionKey] = set()
        self._decided = False
        self.leased: list[tuple[Entry[Record], float]] = []

    def begin_again(self) -> None:
        """Resets for another run of the transaction; marks stay, without a new version unless changed again."""
        self._facts = dict.fromkeys(self._marked, "")
        self._decided = False
        self.leased.clear()

    def add(self, entry: Entry[Record], record: Record) -> None:
        if entry.table.event.subject in _GIVERS:
            self.leased.append((entry, record.changed))
        for key in changed_by(entry):
            self._facts[key] = version_of(record) if key.slot != keys.DIRECTORY else self._change

    async def mark(self) -> None:
        """The last step before the commit; if it raises `unavailable`, the transaction must not commit."""
        self._marked.update(self._facts)
        await self._versions.begin(self._change, self._facts)
        self._decided = True

    async def set(self) -> None:
        """Sets the versions after the commit. On failure the marks stay, and other services query users."""
        await self._finish(self._facts)

    async def withdraw(self) -> None:
        """Removes marks, only if the transaction certainly did not commit; otherwise they stay until they expire."""
        if not self._decided:
            await self._finish(dict.fromkeys(self._marked, ""))

    async def _finish(self, facts: dict[VersionKey, str]) -> None:
        if not facts:
            return
        try:
            await self._versions.finish(self._change, facts)
        except ServiceError as error:
            log.warning("cache versions not updated", facts=len(facts), error_code=error.id)
