"""The target of operations on the instance."""

from __future__ import annotations

from portico_users.api.transport.call import RequestContext, Target
from portico_users.api.transport.decision import NOT_PERMITTED
from portico_users.api.transport.targets import EVERYWHERE
from portico_users.directory.instance.instance import UNSET, Instance
from portico_users.directory.instance.store import MongoInstance


async def the_instance(_context: RequestContext, _request: object, *, instances: MongoInstance) -> Target[Instance]:
    """The instance, written before or not."""
    return Target(EVERYWHERE, await instances.find_settings() or UNSET, NOT_PERMITTED)
