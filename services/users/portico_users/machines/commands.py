"""Changes of service users, as entries for the journal."""

from __future__ import annotations

from portico_users.domain.names import NAME_REFUSED, USER_NAME_REFUSED, is_name, is_user_name
from portico_users.domain.problems import Problem, Problems, refuse_first
from portico_users.journal.entry import Entry
from portico_users.machines.machine import Machine
from portico_users.machines.store import MACHINES


def problems_of(machine: Machine) -> Problems:
    """Everything wrong with it, by the members of the document."""
    if not is_user_name(machine.user_name):
        yield Problem("username", USER_NAME_REFUSED)
    if not is_name(machine.name):
        yield Problem("name", NAME_REFUSED)


def put_machine(before: Machine | None, after: Machine, *, path: str = "") -> Entry[Machine]:
    """Creates a service user, or changes one.

    Raises:
        Refusal: what `problems_of` finds, naming ``path``.
    """
    refuse_first(problems_of(after), path)
    return Entry(MACHINES, before, after)
