from __future__ import annotations

import json

from portico_runtime.process.clock import Clock
from portico_runtime.versioned_cache.lease import Lease
from portico_runtime.versioned_cache.read_cache import ReadCache

from portico_users.identity_providers.federation.offered import OfferedProviders
from portico_users.identity_providers.idp import Idp


class RecentProviders:
    """Like `OfferedProviders.find`, remembered while a lease proves it current, so at most a second old (0163).

    It chooses where a browser and a code are sent. Whom a response signs in is decided by a later read, which also
    compares the version of the provider (IP-05).
    """

    def __init__(self, offered: OfferedProviders, lease: Lease, clock: Clock) -> None:
        self._offered = offered
        self._found: ReadCache[tuple[Idp, bool]] = ReadCache(
            clock, self._read, max_age=0.0, lease=lease, name="providers"
        )

    async def find(self, id: str, org_id: str) -> tuple[Idp, bool]:
        """Returns the provider and whether the policies in force offer it. Raises USER-960."""
        return await self._found.get(json.dumps((id, org_id)))

    async def _read(self, key: str) -> tuple[Idp, bool]:
        id, org_id = json.loads(key)
        return await self._offered.find(id, org_id)
