"""Reseals stored keys, so that an older master key can be removed from the configuration."""

from __future__ import annotations

from dataclasses import dataclass

from portico_oauth.master_keys import MasterKeys, UnsealingFailed
from portico_oauth.opaque import RandomBytes
from portico_runtime.mongo.migrations import Batch

from portico_keys.domain.key import Key
from portico_keys.domain.key_store import KeyStore
from portico_keys.signing.key_distribution import NO_MASTER_KEY


@dataclass(frozen=True, slots=True)
class Rewrap:
    """Also a `portico_runtime.mongo.migrations.Migration`, in one batch, because there are few keys."""

    store: KeyStore
    master_keys: MasterKeys
    random: RandomBytes
    name: str = "signing-keys"
    text: str = "encryption of signing keys with the newest master key"

    async def run(self) -> None:
        """Raises KEYS-003 when a key could not be unsealed, after all others were resealed."""
        _, lost = await self._reseal()
        if lost:
            raise NO_MASTER_KEY.error(kids=lost)

    async def count_left(self) -> int:
        """Returns the number of keys sealed by an older master key. Raises `unavailable`."""
        return sum(1 for key in await self.store.list_keys() if self._is_due(key))

    async def carry(self, _after: str) -> Batch:
        """Reseals all keys. Raises `unavailable`."""
        changed, lost = await self._reseal()
        return Batch(changed, len(lost), None)

    def _is_due(self, key: Key) -> bool:
        return key.sealed is not None and key.sealed.master != self.master_keys.sealing

    async def _reseal(self) -> tuple[int, list[str]]:
        changed, lost = 0, []
        for key in await self.store.list_keys():
            if key.sealed is None or not self._is_due(key):
                continue
            try:
                private = self.master_keys.unseal(key.sealed, key.bound_to)
            except UnsealingFailed:
                lost.append(key.kid)
                continue
            sealed = self.master_keys.seal(private, key.bound_to, self.random)
            # False: another replica has resealed it, or the key was retired and has no private key.
            changed += await self.store.reseal_key(key.kid, sealed, was=key.sealed)
        return changed, lost
