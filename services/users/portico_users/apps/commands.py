"""Changes of applications, as entries for the journal."""

from __future__ import annotations

from portico_users.apps.app_record import App
from portico_users.apps.rules import problems_of
from portico_users.apps.store import APPS
from portico_users.domain.problems import refuse_first
from portico_users.journal.entry import Entry


def put_app(before: App | None, after: App, *, path: str = "") -> Entry[App]:
    """Creates an application, or changes it; its client id is in the id space like its own id.

    Raises:
        Refusal: what `problems_of` finds, naming ``path``.
    """
    refuse_first(problems_of(after), path)
    return Entry(APPS, before, after, ids=(after.client_id,))
