"""Changes of humans, as entries for the journal."""

from __future__ import annotations

from portico_users.domain.problems import refuse_first
from portico_users.humans.human import Human
from portico_users.humans.mail_address import settled
from portico_users.humans.rules import problems_of
from portico_users.humans.store import HUMANS
from portico_users.journal.entry import Entry


def put_human(before: Human | None, after: Human, *, path: str = "") -> Entry[Human]:
    """Creates a human, or changes one.

    Raises:
        ServiceError: what `problems_of` finds, naming ``path``.
    """
    refuse_first(problems_of(after), path)
    return Entry(HUMANS, before, settled(before, after))
