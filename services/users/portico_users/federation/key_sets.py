"""The key sets of identity providers: cached, fetched again for an unknown key at most every 30 seconds."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, Final

import structlog
from portico_oauth.errors import ServiceError
from portico_runtime.clock import Clock

from portico_users.federation.provider_calls import ProviderClient, fetch_object
from portico_users.federation.refusals import NOT_REACHABLE
from portico_users.federation.verification_keys import ProviderKey, candidates_of, read_key_set

log = structlog.get_logger("portico.federation")

REFETCH_SECONDS: Final = 30.0
"""The shortest time between two fetches of the keys of a provider, whatever the tokens name."""

FRESH_SECONDS: Final = 3_600.0
"""So long keys are used without looking again: a key that was withdrawn verifies no longer than that."""

LONGEST_SECONDS: Final = 86_400.0
"""So long the last keys that were read are used while newer ones cannot be."""

MOST: Final = 1_000


@dataclass(slots=True)
class _Known:
    keys: tuple[ProviderKey, ...] = ()
    read_at: float = float("-inf")
    tried_at: float = float("-inf")
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class KeySets:
    """The keys of each address, in this replica's memory."""

    def __init__(self, client: ProviderClient, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._known: dict[tuple[str, str], _Known] = {}

    async def find(self, idp_id: str, url: str, header: dict[str, Any]) -> tuple[ProviderKey, ...]:
        """The keys at an address, fetched where none that is fresh fits the header of a JWT.

        Args:
            idp_id: each provider has keys of its own, also where two have one address.

        Raises:
            ServiceError: USER-961 and USER-962 where keys cannot be read, and none from the last day are there.
        """
        known = self._entry(idp_id, url)
        async with known.lock:  # one flight: those who wait find what it brought
            now = self._clock.now()
            fresh = 0 <= now - known.read_at < FRESH_SECONDS
            if (fresh and candidates_of(header, known.keys)) or 0 <= now - known.tried_at < REFETCH_SECONDS:
                return self._usable(known, now)
            known.tried_at = now
            try:
                known.keys = read_key_set(await fetch_object(self._client, url))
                known.read_at = now
            except ServiceError as error:
                if not 0 <= now - known.read_at < LONGEST_SECONDS:
                    raise
                log.warning("keys not read", idp_id=idp_id, error_code=error.id, **error.private)
            return self._usable(known, now)

    def _usable(self, known: _Known, now: float) -> tuple[ProviderKey, ...]:
        if not 0 <= now - known.read_at < LONGEST_SECONDS:
            raise NOT_REACHABLE.error(cause="keys not read a short time ago")
        return known.keys

    def _entry(self, idp_id: str, url: str) -> _Known:
        place = (idp_id, url)
        known = self._known.pop(place, None) or _Known()
        self._known[place] = known  # at the end: the first is the one that was not used for longest
        while len(self._known) > MOST:
            del self._known[next(iter(self._known))]
        return known
