"""Constraints of applications: one lasts no longer than its project. Those that documents declare follow the policies
that name a project, so they stay.
"""

from __future__ import annotations

from collections.abc import Sequence

from portico_runtime.mongo.client import Database, Session

from portico_users.applications.app_record import App
from portico_users.applications.store import APPS, remove_app
from portico_users.journal.constraints import AT_ONCE, NO_CONSTRAINTS, Cascade, Constraints
from portico_users.projects.store import PROJECTS
from portico_users.storage.entry import NOT_DELETED, Entry, VersionGuard
from portico_users.values.records import Record


def of_app(entry: Entry[App]) -> Constraints:
    """A new application depends on its project, so that a removal of the project finds it."""
    if entry.before is not None or entry.after.metadata_document:
        return NO_CONSTRAINTS
    return Constraints(guards=(VersionGuard(PROJECTS.name, entry.after.project_id, NOT_DELETED),))


def apps_of(project_id: str) -> Cascade:
    """Removes the applications of a removed project: none of them has an effect, but each keeps its resources."""

    async def find(database: Database, session: Session) -> Sequence[Entry[Record]]:
        question = {"projectId": project_id, "listed": True}
        rows = database[APPS.name].find(question, session=session).limit(AT_ONCE)
        return [remove_app(APPS.record(row)) for row in await rows.to_list(AT_ONCE)]

    return find
