"""Changes of organizations, as entries for the journal."""

from __future__ import annotations

from portico_users.directory.organizations.org import Org
from portico_users.directory.organizations.rules import problems_of
from portico_users.directory.organizations.store import ORGS
from portico_users.kernel.entry import Entry
from portico_users.kernel.problems import refuse_first


def put_org(before: Org | None, after: Org) -> Entry[Org]:
    """Creates an organization, or changes it.

    Raises:
        ServiceError: what `problems_of` finds.
    """
    refuse_first(problems_of(after), "")
    return Entry(ORGS, before, after)
