"""What keys needs of its store."""

from __future__ import annotations

from typing import Protocol

from portico_oauth.master_keys import SealedAtRest

from portico_keys.domain.key import Key, State


class KeyStore(Protocol):
    """The keys of all replicas; the truth, where an event is only a hint."""

    async def list_keys(self) -> list[Key]:
        """All keys ever made, oldest serial first.

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
        """Gives a key that is still in the state it was its new state, activation and, where it ended, no private
        half; True for the one winner. How the private half is sealed is `reseal_key`'s to change.

        Raises:
            ServiceError: `unavailable`.
        """
        ...

    async def reseal_key(self, kid: str, sealed: SealedAtRest, *, was: SealedAtRest) -> bool:
        """Replaces the sealed private half of a key that still has the one it was; True for the one winner.

        Raises:
            ServiceError: `unavailable`.
        """
        ...
