"""Seals stored keys anew, so that an older master key can be removed from the configuration."""

from __future__ import annotations

from dataclasses import dataclass

from portico_oauth.master_keys import MasterKeys, UnsealingFailed
from portico_oauth.opaque import RandomBytes

from portico_keys.domain.key_store import KeyStore
from portico_keys.signing.key_distribution import NO_MASTER_KEY


@dataclass(frozen=True, slots=True)
class Rewrap:
    """Unseals keys that an older master key sealed, and seals them under the newest."""

    store: KeyStore
    master_keys: MasterKeys
    random: RandomBytes

    async def run(self) -> None:
        """Every stored private half is under the newest master key afterwards.

        Raises:
            ServiceError: KEYS-003 when one could not be unsealed, after all others were sealed anew; `unavailable`.
        """
        lost: list[str] = []
        for key in await self.store.list_keys():
            if key.sealed is None or key.sealed.master == self.master_keys.sealing:
                continue
            try:
                private = self.master_keys.unseal(key.sealed, key.bound_to)
            except UnsealingFailed:
                lost.append(key.kid)
                continue
            sealed = self.master_keys.seal(private, key.bound_to, self.random)
            # A faster replica has sealed it anew as well, or the key signs no more and has no private half.
            await self.store.reseal_key(key.kid, sealed, was=key.sealed)
        if lost:
            raise NO_MASTER_KEY.error(kids=lost)
