"""A target lasts no longer than its application."""

from __future__ import annotations

from collections.abc import Sequence

from portico_runtime.mongo.client import Database, Session

from portico_users.applications.app_record import App
from portico_users.applications.store import APPS
from portico_users.journal.constraints import AT_ONCE, NO_CONSTRAINTS, Cascade, Constraints
from portico_users.scim_targets.target import SCIM_TARGETS, ScimTarget, remove_target
from portico_users.storage.entry import NOT_DELETED, Document, Entry, VersionGuard
from portico_users.values.records import Record, State


def of_target(entry: Entry[ScimTarget]) -> Constraints:
    """A new target depends on its application, so that a removal of the application finds it."""
    if entry.before is not None:
        return NO_CONSTRAINTS
    place = {"orgId": entry.after.org_id, "projectId": entry.after.project_id, **NOT_DELETED}
    return Constraints(guards=(VersionGuard(APPS.name, entry.after.app_id, place),))


def of_removed_app(entry: Entry[App]) -> Constraints:
    if entry.before is None or entry.after.state is not State.DELETED:
        return NO_CONSTRAINTS
    return Constraints(cascades=(targets_of({"appId": entry.after.id}),))


def targets_of(question: Document) -> Cascade:
    async def find(database: Database, session: Session) -> Sequence[Entry[Record]]:
        rows = database[SCIM_TARGETS.name].find({**question, **NOT_DELETED}, session=session).limit(AT_ONCE)
        return [remove_target(SCIM_TARGETS.record(row)) for row in await rows.to_list(AT_ONCE)]

    return find
