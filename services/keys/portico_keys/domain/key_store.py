"""The interface of the key store."""

from __future__ import annotations

from typing import Protocol

from portico_oauth.master_keys import SealedAtRest

from portico_keys.domain.key import Key, State


class KeyStore(Protocol):
    """The keys of all replicas; authoritative, where an event is only a hint."""

    async def list_keys(self) -> list[Key]:
        """All keys ever created, oldest serial first.

        Raises:
            ServiceError: `unavailable`.
        """
        ...

    async def claim_key(self, key: Key) -> bool:
        """Adds a key unless its algorithm has that serial already; True for the one winner.

        Raises:
            ServiceError: `unavailable`.
        """
        ...

    async def transition_key(self, updated: Key, *, was: State) -> bool:
        """Stores the new state and activation of a key that is still in the state `was`, and deletes the private half
        where that state has none; True for the one winner. Only `reseal_key` changes how the private half is sealed.

        Raises:
            ServiceError: `unavailable`.
        """
        ...

    async def reseal_key(self, kid: str, sealed: SealedAtRest, *, was: SealedAtRest) -> bool:
        """Replaces the sealed private half of a key where it is still `was`; True for the one winner.

        Raises:
            ServiceError: `unavailable`.
        """
        ...
