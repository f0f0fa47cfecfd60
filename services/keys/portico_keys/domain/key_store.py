from __future__ import annotations

from typing import Protocol

from portico_oauth.master_keys import SealedAtRest

from portico_keys.domain.key import Key, State


class KeyStore(Protocol):
    """The keys of all replicas; authoritative, whereas events are only hints. All methods raise `unavailable`."""

    async def list_keys(self) -> list[Key]: ...

    async def claim_key(self, key: Key) -> bool:
        """Adds a key unless its algorithm has that serial already; True for the one winner."""
        ...

    async def transition_key(self, updated: Key, *, was: State) -> bool:
        """Compare-and-set on the state `was`, True for one winner; deletes a private key the new state may not have."""
        ...

    async def reseal_key(self, kid: str, sealed: SealedAtRest, *, was: SealedAtRest) -> bool:
        """Replaces the sealed private key where it is still `was`; True for the one winner."""
        ...
