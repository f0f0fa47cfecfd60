"""Which hashes the directory holds, and how long one of each takes here."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import COSTLY_SECONDS, GetHashKinds, HashKind, HashKinds
from portico_runtime.clock import Clock

from portico_users.credentials.passwords.hash_counts import HashCounts
from portico_users.credentials.passwords.hashing import HashingPool
from portico_users.credentials.passwords.imported_hashes import describe


@dataclass(frozen=True, slots=True)
class HashReport:
    """Replies to `HASH_KINDS`."""

    counts: HashCounts
    pool: HashingPool
    clock: Clock

    async def list_kinds(self, _ask: GetHashKinds) -> HashKinds:
        """The kinds by how many users have them; the first of each algorithm is computed once."""
        counted = sorted((await self.counts.list_kinds()).items(), key=lambda one: (-one[1], one[0]))
        kinds = [
            HashKind(description=describe(kind), users=users, seconds=await self.pool.measure(kind))
            for kind, users in counted
        ]
        return HashKinds(kinds=tuple(kinds), at=self.clock.now())


async def costly_seconds(pool: HashingPool, hash: str) -> float:
    """How long a hash takes here, where that is so long that people should be warned; else 0."""
    seconds = await pool.measure(hash)
    return seconds if seconds > COSTLY_SECONDS else 0.0
