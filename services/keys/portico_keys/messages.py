"""What keys answers on the bus."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.keys import ACTIVE_KEYS, PUBLIC_KEYS, ActiveKeys, AskActiveKeys, AskPublicKeys, PublicKeys
from portico_runtime.bus import Bus

from portico_keys.domain.key_store import KeyStore
from portico_keys.key_ring import KeyRing
from portico_keys.signing.hand_out import HandOut


@dataclass(frozen=True, slots=True)
class Messages:
    """The handlers of keys' questions."""

    store: KeyStore
    ring: KeyRing
    hand_out: HandOut

    def answer_on(self, bus: Bus) -> None:
        """Registers every handler."""
        bus.answer(ACTIVE_KEYS, self.active_keys)
        bus.answer(PUBLIC_KEYS, self.public_keys)

    async def active_keys(self, ask: AskActiveKeys) -> ActiveKeys:
        """The keys to sign with, read from the store: a lease never rests on what one replica remembers."""
        return self.hand_out.active_keys(await self.store.list_keys(), ask.public_key)

    async def public_keys(self, _ask: AskPublicKeys) -> PublicKeys:
        """The key set, from memory like the document."""
        return PublicKeys(jwks=self.ring.key_set().keys)

    async def check(self) -> None:
        """Raises unless both questions could be answered now: the readiness of this replica."""
        self.ring.key_set()
        self.hand_out.refuse_lost_keys(await self.store.list_keys())
