"""The key set in memory, which this replica also serves while the store is unavailable (FD-02)."""

from __future__ import annotations

import asyncio
from typing import Final

from portico_oauth.errors import ErrorCode, Kind
from prometheus_client.metrics import Gauge

from portico_keys.domain.key import Key, State
from portico_keys.domain.key_store import KeyStore
from portico_keys.jwks import KeySet, key_set_of

NOT_LOADED = ErrorCode(
    "KEYS-001",
    Kind.UNAVAILABLE,
    "No key set has been published yet.",
    "Try again after the number of seconds in Retry-After.",
)


SIGNS_SINCE: Final = Gauge(
    "portico_signing_key_since_timestamp_seconds",
    "Unix time at which the current signing key started signing, by algorithm.",
    ["alg"],
)


class KeyRing:
    """The key set, refreshed every few seconds, on every key event, and whenever keys are distributed."""

    def __init__(self) -> None:
        self._reading = asyncio.Lock()
        self._keys: list[Key] = []
        self._key_set: KeySet | None = None
        self._revoked: dict[str, float] = {}

    async def read(self, store: KeyStore) -> list[Key]:
        """Loads and serves the keys of the store. Raises `unavailable`; the served key set is unchanged."""
        async with self._reading:  # one after the other: an older reading never replaces a newer one
            keys = await store.list_keys()
            if keys != self._keys:
                self._keys = keys
                self._revoked |= {key.kid: key.since for key in keys if key.state is State.REVOKED}
                self._prepare()
        return keys

    @property
    def keys(self) -> list[Key]:
        """The keys of the last reading, in every state."""
        return self._keys

    def remove(self, kid: str, at: float) -> None:
        """Removes a key from the served key set at once, before the store is read again."""
        if kid not in self._revoked:
            self._revoked[kid] = at
            self._prepare()

    def key_set(self) -> KeySet:
        """Raises KEYS-001 before the first key was read."""
        if self._key_set is None:
            raise NOT_LOADED.error(retry_after=1)
        return self._key_set

    def revoked_since(self, timestamp: float) -> tuple[str, ...]:
        """Returns the ids of keys revoked at or after a unix timestamp."""
        return tuple(kid for kid, at in self._revoked.items() if at >= timestamp)

    def expired_since(self, timestamp: float) -> tuple[dict[str, str], ...]:
        """Returns the public JWKs that expired at or after a unix timestamp."""
        return tuple(key.jwk for key in self._keys if key.state is State.EXPIRED and key.since >= timestamp)

    def _prepare(self) -> None:
        key_set = key_set_of([key for key in self._keys if key.kid not in self._revoked])
        SIGNS_SINCE.clear()
        signing = [key for key in self._keys if key.state is State.SIGNING and key.kid not in self._revoked]
        for key in sorted(signing, key=lambda one: one.activates_at):  # the newest of an algorithm counts
            SIGNS_SINCE.labels(key.alg).set(key.activates_at)
        # Caches would store a document without keys for minutes, so respond with an error.
        self._key_set = key_set if key_set.keys else None
