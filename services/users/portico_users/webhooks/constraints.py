"""Constraints of token hooks: one belongs to a project of its organization, and ends with it."""

from __future__ import annotations

from collections.abc import Sequence

from portico_runtime.mongo.client import Database, Session

from portico_users.journal.constraints import AT_ONCE, NO_CONSTRAINTS, Cascade, Constraints
from portico_users.projects.store import PROJECTS
from portico_users.storage.entry import NOT_DELETED, Entry
from portico_users.values.problems import at
from portico_users.values.records import Record, State
from portico_users.webhooks.changes import remove_webhook
from portico_users.webhooks.rules import HOOK_PROJECT
from portico_users.webhooks.store import WEBHOOK_TABLE
from portico_users.webhooks.webhook import Webhook


def of_webhook(entry: Entry[Webhook]) -> Constraints:
    before, after = entry.before, entry.after
    is_known = before is not None and before.project_id == after.project_id
    if not after.project_id or is_known or after.state is State.DELETED:
        return NO_CONSTRAINTS

    async def check(database: Database, session: Session) -> None:
        question = {"_id": after.project_id, "orgId": after.org_id, **NOT_DELETED}
        if await database[PROJECTS.name].find_one(question, {"_id": 1}, session=session) is None:
            raise at("projectId", HOOK_PROJECT.error())

    return Constraints(checks=(check,))


def hooks_of(project_id: str) -> Cascade:
    """Removes the token hook of a removed project, which is not called any longer."""

    async def find(database: Database, session: Session) -> Sequence[Entry[Record]]:
        rows = database[WEBHOOK_TABLE.name].find({"tokenHookKey": project_id}, session=session).limit(AT_ONCE)
        return [remove_webhook(WEBHOOK_TABLE.record(row)) for row in await rows.to_list(AT_ONCE)]

    return find
