"""Changes of the instance's settings, as entries for the journal."""

from __future__ import annotations

from portico_users.directory.instance.instance import Instance
from portico_users.directory.instance.store import INSTANCES
from portico_users.directory.policies import login_rules, policies
from portico_users.kernel.entry import Entry
from portico_users.kernel.problems import refuse_first


def put_instance(before: Instance | None, after: Instance, *, path: str = "") -> Entry[Instance]:
    """Sets the settings for the first time, or changes them.

    Raises:
        ServiceError: what `problems_of` finds, naming ``path``.
    """
    refuse_first(login_rules.problems_of(after.login_rules), path)
    refuse_first(policies.problems_of(after.policies), path)
    return Entry(INSTANCES, before, after)
