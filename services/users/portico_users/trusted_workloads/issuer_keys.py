"""Keys that issuers publish (OpenID Connect Discovery section 4, RFC 7517), in the memory of this replica.

For every issuer whose keys are not registered here: callers decide first that the issuer is trusted.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Final

import structlog
from portico_contracts.users import PublicKey
from portico_oauth.errors import ServiceError
from portico_runtime.diagnostics.limits import OwnedLimit, PerMinute
from portico_runtime.process.clock import Clock

from portico_users.identity_providers.federation.errors import NOT_REACHABLE, OTHER_PROVIDER, UNREADABLE_ANSWER
from portico_users.identity_providers.federation.provider_calls import ProviderClient, fetch_object
from portico_users.identity_providers.federation.provider_metadata import WELL_KNOWN
from portico_users.identity_providers.federation.verification_keys import MAX_KEY_SET
from portico_users.trusted_workloads.key_sets import read_public_keys

log = structlog.get_logger("portico.issuer_keys")

SECONDS: Final = 6.0
"""For both requests, within the time that token waits."""

FRESH_SECONDS: Final = 3_600.0
"""How long keys are used without a refresh, and how long a withdrawn key can still verify."""

LONGEST_SECONDS: Final = 86_400.0
"""How long the last keys are used while the issuer does not respond."""

FETCHES: Final = PerMinute(of_client=4, in_all=120)
"""Fetches of a replica for one issuer, and for all: a new key is found at once, and made-up kids cause no more."""

OF_ORGANIZATION: Final = 60
"""Fetches of a replica a minute for all issuers that an organization trusts."""

MOST: Final = 1_000


@dataclass(slots=True)
class _Known:
    keys: tuple[PublicKey, ...] = ()
    read_at: float = float("-inf")
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def have(self, kid: str, now: float) -> bool:
        is_fresh = 0 <= now - self.read_at < FRESH_SECONDS
        return is_fresh and (not kid or any(key.kid == kid for key in self.keys))

    def usable(self, now: float) -> tuple[PublicKey, ...]:
        return self.keys if 0 <= now - self.read_at < LONGEST_SECONDS else ()


class IssuerKeySets:
    def __init__(self, client: ProviderClient, clock: Clock) -> None:
        self._client = client
        self._limit = OwnedLimit(clock, FETCHES, of_owner=OF_ORGANIZATION)
        self._clock = clock
        self._known: dict[str, _Known] = {}

    async def find(self, issuer: str, kid: str, org_id: str) -> tuple[PublicKey, ...]:
        """Fetches keys that are stale, or lack the kid; after a failure, returns those of the last day, or none.

        `org_id` is the organization that trusts the issuer.
        """
        known = self._entry(issuer, org_id)
        if known.have(kid, self._clock.now()):
            return known.keys
        async with known.lock:  # one flight: those who wait find what it brought
            now = self._clock.now()
            if not known.have(kid, now) and self._limit.admits(issuer, org_id):
                await self._renew(known, issuer, now)
            return known.usable(now)

    async def _renew(self, known: _Known, issuer: str, now: float) -> None:
        try:
            known.keys = await self._fetch(issuer)
            known.read_at = now
        except ServiceError as error:
            log.warning("keys of an issuer not available", issuer=issuer, error_code=error.id, **error.private)

    async def _fetch(self, issuer: str) -> tuple[PublicKey, ...]:
        """The addresses of both documents are checked at each request (IP-03)."""
        url = issuer.removesuffix("/") + WELL_KNOWN
        try:
            async with asyncio.timeout(SECONDS):
                document = await fetch_object(self._client, url)
                if document.get("issuer") != issuer:
                    raise OTHER_PROVIDER.error(stated=str(document.get("issuer"))[:200], url=url)
                jwks_uri = document.get("jwks_uri")
                if not isinstance(jwks_uri, str):
                    raise UNREADABLE_ANSWER.error(cause="jwks_uri", url=url)
                key_set = await fetch_object(self._client, jwks_uri, limit=MAX_KEY_SET)
        except TimeoutError:
            raise NOT_REACHABLE.error(cause="timeout", url=url) from None
        keys = read_public_keys(key_set)
        if not keys:
            raise UNREADABLE_ANSWER.error(cause="no usable key", url=jwks_uri)
        return keys

    def _entry(self, issuer: str, org_id: str) -> _Known:
        known = self._known.pop(issuer, None)
        if known is None and not self._limit.has_room(issuer, org_id):
            return _Known()  # displaces no keys, as nothing will be known of it
        self._known[issuer] = known = known or _Known()  # at the end: the first was not used for longest
        while len(self._known) > MOST:
            del self._known[next(iter(self._known))]
        return known
