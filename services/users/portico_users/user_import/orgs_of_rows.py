from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from portico_users.accounts.edit_accounts import UserOrgs
from portico_users.organizations.org import Org


@dataclass(frozen=True, slots=True)
class OrgsOfRows:
    """Reads each organization once for all rows of a message."""

    orgs: UserOrgs
    found: dict[tuple[str, str], asyncio.Task[Org]] = field(default_factory=dict)

    async def find_named(self, org_id: str, domain: str) -> Org:
        key = org_id, domain
        task = self.found.get(key)
        if task is None:
            task = self.found[key] = asyncio.create_task(self.orgs.find_named(org_id, domain))
        return task.result() if task.done() else await asyncio.shield(task)
