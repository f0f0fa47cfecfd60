"""Changes of applications, as entries for the journal."""

from __future__ import annotations

import msgspec

from portico_users.directory.apps.app_record import App
from portico_users.directory.apps.rules import problems_of
from portico_users.directory.apps.store import APPS
from portico_users.directory.client_keys.assertion_keys import new_kids
from portico_users.kernel.entry import Entry
from portico_users.kernel.problems import refuse_first
from portico_users.kernel.records import State


def put_app(before: App | None, after: App) -> Entry[App]:
    """Creates an application, or changes it; client id and kids are in the id space like its own id.

    Raises:
        ServiceError: what `problems_of` finds.
    """
    response_types, grant_types = tuple(dict.fromkeys(after.response_types)), tuple(dict.fromkeys(after.grant_types))
    after = msgspec.structs.replace(after, response_types=response_types, grant_types=grant_types)
    refuse_first(problems_of(after), "")
    kids = new_kids(before.keys if before else (), after.keys)
    return Entry(APPS, before, after, ids=kids if before else (after.client_id, *kids))


def without_use(app: App) -> App:
    """The application, removed for good: its client id is never given again."""
    return msgspec.structs.replace(app, state=State.DELETED, secret_hash="", keys=())
