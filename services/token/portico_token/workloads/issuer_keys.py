"""Keys of issuers, which users fetches, kept in the memory of this replica: they verify while users is not reached."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Final

import structlog
from portico_contracts.users import GET_ISSUER_KEYS, Client, GetIssuerKeys, PublicKey
from portico_oauth.errors import Kind, ServiceError
from portico_runtime.bus.bus import Bus
from portico_runtime.diagnostics.limits import OwnedLimit, PerMinute
from portico_runtime.process.clock import Clock

log = structlog.get_logger("portico.workloads")

FRESH_SECONDS: Final = 300.0
"""How long keys are used without asking users."""

LONGEST_SECONDS: Final = 86_400.0
"""How long they are used while users, or the issuer, is not reached."""

PAUSE_SECONDS: Final = 10.0
"""How long known keys are used without another question after one that failed."""

SHARED_SECONDS: Final = 1.0
"""How long a failed question is the answer for all who wait for these keys."""

ASKED: Final = PerMinute(of_client=12, in_all=600)
"""Questions of a replica for one issuer, and for all: unsigned tokens with made-up kids cause no more."""

OF_ORGANIZATION: Final = 120
"""Questions of a replica a minute for all issuers that an organization trusts."""

MOST: Final = 1_000


@dataclass(slots=True)
class _Known:
    keys: tuple[PublicKey, ...] = ()
    read_at: float = float("-inf")
    failed_at: float = float("-inf")
    failure: ServiceError | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def are_usable(self, now: float) -> bool:
        return 0 <= now - self.read_at < LONGEST_SECONDS

    def have(self, kid: str, now: float) -> bool:
        """Without a kid, an only key is used: all known ones are what the issuer has."""
        is_fresh = 0 <= now - self.read_at < FRESH_SECONDS or 0 <= now - self.failed_at < PAUSE_SECONDS
        return is_fresh and self.are_usable(now) and (not kid or any(key.kid == kid for key in self.keys))


class IssuerKeyCache:
    def __init__(self, bus: Bus, clock: Clock) -> None:
        self._bus = bus
        self._clock = clock
        self._limit = OwnedLimit(clock, ASKED, of_owner=OF_ORGANIZATION)
        self._known: dict[str, _Known] = {}

    async def find(self, client: Client, issuer: str, kid: str, provider_id: str = "") -> tuple[PublicKey, ...]:
        """The keys of an issuer that the client, or the provider of that id, trusts; none where they are not to be had.

        Raises `unavailable` when users is not reached, and no keys of the last day are known.
        """
        known = self._entry(issuer, client.org_id)
        if known.have(kid, self._clock.now()):
            return known.keys
        async with known.lock:  # one flight: those who wait find what it brought
            now = self._clock.now()
            if known.failure and 0 <= now - known.failed_at < SHARED_SECONDS:
                # Who waited for a question that failed gets its error, instead of waiting for another one.
                raise ServiceError(known.failure.kind, known.failure.id, known.failure.text)
            if not known.have(kid, now) and self._limit.admits(issuer, client.org_id):
                question = GetIssuerKeys(
                    client_id=client.client_id, issuer=issuer, kid=kid[:200], provider_id=provider_id
                )
                await self._ask(known, question, now)
            return known.keys if known.are_usable(now) else ()

    async def _ask(self, known: _Known, question: GetIssuerKeys, now: float) -> None:
        try:
            found = await self._bus.call(GET_ISSUER_KEYS, question)
        except ServiceError as error:
            known.failed_at = self._clock.now()
            if error.kind is not Kind.UNAVAILABLE or not known.are_usable(now):
                known.failure = error
                raise
            log.warning("known keys of an issuer used, as users is not reached", issuer=question.issuer)
            return
        known.failure = None
        if not found.is_known:
            known.keys, known.read_at = (), float("-inf")
        elif found.is_reached:
            known.keys, known.read_at = found.keys, now
        else:
            known.failed_at = now

    def _entry(self, issuer: str, org_id: str) -> _Known:
        known = self._known.pop(issuer, None)
        if known is None and not self._limit.has_room(issuer, org_id):
            return _Known()  # displaces no keys, as nothing will be known of it
        self._known[issuer] = known = known or _Known()  # at the end: the first was not used for longest
        while len(self._known) > MOST:
            del self._known[next(iter(self._known))]
        return known
