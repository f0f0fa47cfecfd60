"""Replicas of keys and of token with separate clocks, as a relying party sees them.

The services' code runs over a store and a bus in memory. Time passes, and rotation checks, renewals and lost
events happen, only when the test requests them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from portico_contracts.keys import PUBLIC_KEYS, REVOKE_KEY, ROTATE_KEYS, GetPublicKeys, RevokeKey, RotateKeys
from portico_contracts.subjects import Event, Rpc
from portico_keys.domain.key import TRANSITIONS, State
from portico_oauth.jose import VerificationKey, key_id_in
from portico_token.signing.key_ring import RENEW_SECONDS, KeyRing

from portico_fakes.clock import FrozenClock
from portico_fakes.keys_service import KeysService, MemoryKeys
from portico_fakes.memory_bus import MemoryBus

ALG: Final = "ES256"


@dataclass(frozen=True, slots=True)
class SkewedClock:
    """A clock that differs from the true time by a fixed number of seconds."""

    true: FrozenClock
    skew: float

    def now(self) -> float:
        return self.true.now() + self.skew


class Line(MemoryBus):
    """One replica's connection to the bus.

    Args:
        lines: the connections of all replicas; an event published on one reaches every subscriber.
    """

    def __init__(self, lines: list[Line]) -> None:
        super().__init__()
        self._lines = lines
        self.hears = True
        self.asks: Line = self
        lines.append(self)

    async def call(self, rpc: Rpc[Any, Any], message: Any, *, seconds: float | None = None) -> Any:
        if self.asks is not self:
            return await self.asks.call(rpc, message, seconds=seconds)
        return await super().call(rpc, message, seconds=seconds)

    async def publish(self, event: Event[Any], body: Any, *, event_id: str) -> None:
        for line in self._lines:
            if line.hears:
                await MemoryBus.publish(line, event, body, event_id=event_id)


@dataclass(slots=True)
class Signer:
    line: Line
    clock: SkewedClock
    ring: KeyRing
    renewed: float = 0.0
    heard: int = 0

    async def renew(self, true: float) -> None:
        await self.ring.renew()
        self.renewed, self.heard = true, len(self.line.published)


@dataclass(frozen=True, slots=True)
class Issued:
    text: str
    kid: str
    expires: float


@lru_cache(maxsize=4_096)
def verified(token: str, jwk: str) -> dict[str, Any]:
    """Verifies a token once with each key, because each step of a course verifies all tokens."""
    return VerificationKey.from_jwk(json.loads(jwk)).verify(token)


class RotationWorld:
    """Two replicas of keys and two of token; the first two skews are those of keys, the others those of token."""

    def __init__(self, skews: tuple[float, float, float, float], *, token_seconds: int) -> None:
        self.true = FrozenClock()
        self.issued: list[Issued] = []
        self.revoked: set[str] = set()
        self._token_seconds = token_seconds
        self._store = MemoryKeys()
        self._lines: list[Line] = []
        clocks = [SkewedClock(self.true, skew) for skew in skews]
        settings: dict[str, Any] = {
            "signing_algorithms": ALG,
            "access_token_seconds": token_seconds,
            "id_token_seconds": token_seconds,
        }
        self.keepers = [
            KeysService(clock, Line(self._lines), self._store, seed=seed, **settings)
            for seed, clock in enumerate(clocks[:2])
        ]
        self.signers = [self._signer(clock) for clock in clocks[2:]]

    async def start(self) -> None:
        for keeper in self.keepers:
            await keeper.look_after_keys()
        for signer in self.signers:
            await signer.renew(self.true.now())

    async def wait(self, seconds: float) -> None:
        self.true.tick(seconds)
        if seconds >= 1:
            for keeper in self.keepers:
                await keeper.look_after_keys()
        await self._catch_up()

    async def rotate(self, number: int, *, now: bool) -> None:
        await self._ask(number, ROTATE_KEYS, RotateKeys(now=now))

    async def revoke(self, number: int, which: int) -> None:
        keys = [key for key in await self._store.list_keys() if State.REVOKED in TRANSITIONS[key.state]]
        kid = keys[which % len(keys)].kid
        await self._ask(number, REVOKE_KEY, RevokeKey(kid=kid))
        self.revoked.add(kid)

    async def look(self, number: int) -> None:
        await self.keepers[number].look_after_keys()
        await self._catch_up()

    async def renew(self, number: int, asked: int) -> None:
        self.signers[number].line.asks = self._lines[asked]
        await self.signers[number].renew(self.true.now())

    async def turn_deaf(self, number: int) -> None:
        """Makes a replica of token receive no events, or receive them again after it has requested the keys."""
        signer = self.signers[number]
        signer.line.hears = not signer.line.hears
        if signer.line.hears:
            await signer.renew(self.true.now())

    def sign(self) -> list[Issued]:
        """Returns one token of each replica.

        Raises:
            ServiceError: when a replica has no key.
        """
        fresh = [self._sign(signer) for signer in self.signers]
        self.issued += fresh
        return fresh

    def living(self, verifier_skew: float) -> list[Issued]:
        """Returns the tokens that a relying party with this clock skew considers unexpired, except revoked ones."""
        now = self.true.now() + verifier_skew
        self.issued = [one for one in self.issued if one.expires > self.true.now() - abs(verifier_skew)]
        return [one for one in self.issued if one.expires > now and one.kid not in self.revoked]

    def key_sets(self) -> list[dict[str, str]]:
        """Returns the JWKs of each replica by their ids."""
        sets = [keeper.parts.ring.key_set().keys for keeper in self.keepers]
        return [{jwk["kid"]: json.dumps(jwk) for jwk in keys} for keys in sets]

    async def told_revoked(self) -> list[set[str]]:
        answers = [await keeper.parts.bus.call(PUBLIC_KEYS, GetPublicKeys()) for keeper in self.keepers]
        return [set(answer.revoked) for answer in answers]

    def _signer(self, clock: SkewedClock) -> Signer:
        line = Line(self._lines)
        line.asks = self._lines[0]
        ring = KeyRing(line, clock, self.true.now)
        ring.listen()
        return Signer(line, clock, ring)

    def _sign(self, signer: Signer) -> Issued:
        text = signer.ring.signing_key(ALG).sign(b'{"sub":"1"}')
        return Issued(text, key_id_in(text) or "", signer.clock.now() + self._token_seconds)

    async def _ask(self, number: int, rpc: Rpc[Any, Any], message: Any) -> None:
        await self.keepers[number].parts.bus.call(rpc, message)
        await self._catch_up()

    async def _catch_up(self) -> None:
        for signer in self.signers:
            heard = len(signer.line.published) > signer.heard
            if heard or self.true.now() - signer.renewed >= RENEW_SECONDS:
                await signer.renew(self.true.now())
