"""The instance, as the target of a call."""

from __future__ import annotations

from portico_users.instance.instance import UNSET, Instance, MongoInstance
from portico_users.management_api.transport.call import RequestContext, Target
from portico_users.management_api.transport.decision import NOT_PERMITTED
from portico_users.management_api.transport.targets import EVERYWHERE


async def the_instance(_context: RequestContext, _request: object, *, instances: MongoInstance) -> Target[Instance]:
    return Target(EVERYWHERE, await instances.find_settings() or UNSET, NOT_PERMITTED)
