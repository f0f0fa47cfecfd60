"""Changes of humans, as entries for the journal."""

from __future__ import annotations

from portico_users.directory.people.email_address import settled
from portico_users.directory.people.human import Human
from portico_users.directory.people.resets import counted
from portico_users.directory.people.rules import problems_of
from portico_users.directory.people.store import HUMANS
from portico_users.kernel.entry import Entry
from portico_users.kernel.problems import refuse_first


def put_human(before: Human | None, after: Human, *, path: str = "") -> Entry[Human]:
    """Creates a human, or changes one.

    Raises:
        ServiceError: what `problems_of` finds, naming ``path``.
    """
    refuse_first(problems_of(after, before), path)
    return Entry(HUMANS, before, counted(before, settled(before, after)))
