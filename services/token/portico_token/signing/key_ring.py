"""The keys this replica may use right now, and how long.

Requested from keys every 10 s and at once on a key event; each response is a lease. When it has expired,
nothing is signed and no JWT is accepted: 503, until keys responds again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from portico_contracts.events import KEY_ACTIVATED, KEY_PUBLISHED, KEY_REVOKED, KeyEvent
from portico_contracts.keys import ACTIVE_KEYS, PUBLIC_KEYS, GetActiveKeys, GetPublicKeys, SealedKey
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.jose import SigningKey, VerificationKey
from portico_oauth.sealing import InvalidSeal, Sealed, open_sealed
from portico_runtime.bus.bus import Bus
from portico_runtime.process.clock import Clock
from portico_runtime.process.health import NotReady
from portico_runtime.process.wakeup import Wakeup
from prometheus_client.metrics import Gauge


@dataclass(frozen=True, slots=True)
class LeasedKey:
    """`mac_key` is derived from the private key: what else replicas have to know together (RFC 5869)."""

    key: SigningKey
    activates_at: float
    mac_key: bytes


@dataclass(frozen=True, slots=True)
class Lease:
    """The keys of one response by kid; `requested_at` (monotonic) precedes the request, so its duration counts."""

    signing: Mapping[str, LeasedKey]
    published: Mapping[str, VerificationKey]
    requested_at: float
    seconds: float

    def is_valid(self, monotonic: float) -> bool:
        return 0 <= monotonic - self.requested_at < self.seconds

    def newest(self, alg: str, now: float) -> SigningKey | None:
        newest: LeasedKey | None = None
        for leased in self.signing.values():
            if leased.key.alg == alg and leased.activates_at <= now:
                newest = leased if newest is None or leased.activates_at > newest.activates_at else newest
        return newest.key if newest else None

    def without(self, kids: Collection[str]) -> Lease:
        return replace(
            self,
            signing={kid: leased for kid, leased in self.signing.items() if kid not in kids},
            published={kid: key for kid, key in self.published.items() if kid not in kids},
        )


NO_LEASE = Lease({}, {}, 0.0, 0.0)


RENEW_SECONDS: Final = 10.0
SUCCESSOR_SECONDS: Final = 0.5
REFRESH_SECONDS: Final = 1.0

NO_KEY = ErrorCode(
    "TOKEN-050",
    Kind.UNAVAILABLE,
    "No signing key is available.",
    "Try again after the number of seconds in Retry-After.",
)


LEASE: Final = Gauge(
    "portico_signing_key_lease_seconds", "Seconds until the lease of the signing keys expires. 0: no lease."
)


class KeyRing:
    """Private keys in memory only, each loaded once."""

    def __init__(self, bus: Bus, clock: Clock, monotonic: Callable[[], float]) -> None:
        self._bus = bus
        self._clock = clock
        self._monotonic = monotonic
        self._private = X25519PrivateKey.generate()
        self._public = self._private.public_key().public_bytes_raw()
        self._lease = NO_LEASE
        self._revoked: set[str] = set()
        self._renewing = asyncio.Lock()
        self._wakeup = Wakeup()
        LEASE.set_function(self._seconds_left)

    def listen(self) -> None:
        """Subscribes to key events. Call before the bus starts."""
        self._bus.subscribe(KEY_PUBLISHED, self._on_key_event)
        self._bus.subscribe(KEY_ACTIVATED, self._on_key_event)
        self._bus.subscribe(KEY_REVOKED, self._on_key_revoked)

    async def renew_periodically(self) -> None:
        await self.renew()
        await self._wakeup.wait(RENEW_SECONDS)

    async def renew(self) -> None:
        """On failure the old lease remains until it expires; InvalidSeal if not sealed for this replica."""
        async with self._renewing:  # one after the other: an older response never replaces a newer one
            lease = await self._request_lease()
            if not self._revoked.isdisjoint(lease.signing):
                # Started before the revocation, perhaps without the successor: request again, with a short timeout.
                with suppress(ServiceError, InvalidSeal, TimeoutError):
                    async with asyncio.timeout(SUCCESSOR_SECONDS):
                        lease = await self._request_lease()
            self._lease = lease.without(self._revoked)

    async def _request_lease(self) -> Lease:
        requested_at = self._monotonic()
        active = await self._bus.call(ACTIVE_KEYS, GetActiveKeys(public_key=self._public))
        public = await self._bus.call(PUBLIC_KEYS, GetPublicKeys())
        self._revoked.update(public.revoked)
        signing = {sealed.kid: self._unseal(sealed) for sealed in active.keys}
        return Lease(
            signing=signing,
            # The two responses may come from different replicas of keys: a key that signs here is certainly
            # published.
            published={jwk["kid"]: self._load(jwk) for jwk in public.jwks}
            | {kid: _public_half(leased.key) for kid, leased in signing.items()},
            requested_at=requested_at,
            seconds=active.lease,
        )

    def signing_key(self, alg: str) -> SigningKey:
        """Raises TOKEN-050 when the lease has expired or the key is unknown."""
        key = self._lease.newest(alg, self._clock.now()) if self._has_lease() else None
        if key is None:
            raise NO_KEY.error(retry_after=1, alg=alg)
        return key

    def mac_keys(self) -> list[bytes]:
        """Keys for MACs that every replica checks, that of the newest active signing key first. Raises TOKEN-050."""
        now = self._clock.now()
        leased = self._lease.signing.values() if self._has_lease() else ()
        newest = sorted(leased, key=lambda one: (one.activates_at <= now, one.activates_at), reverse=True)
        if not newest:
            raise NO_KEY.error(retry_after=1)
        return [one.mac_key for one in newest]

    def find_verification_key(self, kid: str) -> VerificationKey | None:
        """None for an unpublished key; raises TOKEN-050 when the lease has expired."""
        if not self._has_lease():
            raise NO_KEY.error(retry_after=1)
        key = self._lease.published.get(kid)
        if key is None and self._monotonic() - self._lease.requested_at >= REFRESH_SECONDS:
            self._wakeup.set()  # perhaps it was published since, and another replica was notified first
        return key

    async def check(self) -> None:
        """Raises unless there is a lease."""
        if not self._has_lease():
            raise NotReady("no valid lease of signing keys")

    def _seconds_left(self) -> float:
        return max(0.0, self._lease.seconds - (self._monotonic() - self._lease.requested_at))

    def _has_lease(self) -> bool:
        return self._lease.is_valid(self._monotonic())

    def _unseal(self, sealed: SealedKey) -> LeasedKey:
        leased = self._lease.signing.get(sealed.kid)
        if leased is not None:  # an id names one key for ever; only its activation may have changed
            return replace(leased, activates_at=sealed.activates_at)
        der = open_sealed(self._private, sealed.kid, Sealed(sealed.sender_key, sealed.nonce, sealed.sealed))
        return LeasedKey(SigningKey.load(sealed.kid, sealed.alg, der), sealed.activates_at, _mac_key(der))

    def _load(self, jwk: dict[str, str]) -> VerificationKey:
        return self._lease.published.get(jwk["kid"]) or VerificationKey.from_jwk(jwk)

    async def _on_key_event(self, _event: KeyEvent) -> None:
        self._wakeup.set()

    async def _on_key_revoked(self, event: KeyEvent) -> None:
        self._revoked.add(event.kid)
        # The successor first, so that there is always a key; with a timeout, and without it afterwards.
        with suppress(ServiceError, InvalidSeal, TimeoutError):
            async with asyncio.timeout(SUCCESSOR_SECONDS):
                await self.renew()
        self._lease = self._lease.without(self._revoked)
        self._wakeup.set()


def _public_half(key: SigningKey) -> VerificationKey:
    return VerificationKey(key.kid, key.alg, key.private.public_key())


def _mac_key(der: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=b"portico nonces").derive(der)
