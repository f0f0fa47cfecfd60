"""Rotates and revokes signing keys out of schedule, at the request of an administrator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_contracts.keys import REVOKE_KEY, ROTATE_KEYS, KeyState, KeyStates, RevokeKey, RotateKeys
from portico_contracts.subjects import Request, Rpc

from portico_users.bus import Bus
from portico_users.journal.command import Command
from portico_users.journal.event_recorder import Occurrence
from portico_users.journal.journal import Journal
from portico_users.storage.entry import Document
from portico_users.values.names import INSTANCE

SIGNING_KEYS: Final = "signingKeys"
"""The object type in the event log."""

_SECONDS: Final = 30.0
"""Generating a large RSA key for each algorithm takes a while."""


@dataclass(frozen=True, slots=True)
class ChangeSigningKeys(Command):
    """Sends requests to keys, and logs the requester.

    keys publishes the events of its keys but does not know the caller; this class logs the caller. If the log
    cannot be written, the caller gets 503 and may repeat the request: that adds a pending key, or finds the
    key already revoked.
    """

    bus: Bus
    journal: Journal

    async def rotate(self, alg: str, *, now: bool, actor: str) -> tuple[KeyState, ...]:
        """Publishes a key of an algorithm (empty: of each); ``now`` starts signing after the short wait."""
        message = RotateKeys(alg=alg, now=now)
        return await self._change(ROTATE_KEYS, message, actor, "rotated", {"alg": alg, "now": now})

    async def revoke(self, kid: str, *, actor: str) -> tuple[KeyState, ...]:
        return await self._change(REVOKE_KEY, RevokeKey(kid=kid), actor, "revoked", {"kid": kid})

    async def _change(
        self, rpc: Rpc[Request, KeyStates], message: Request, actor: str, action: str, values: Document
    ) -> tuple[KeyState, ...]:
        states = await self.bus.call(rpc, message, seconds=_SECONDS)
        await self.journal.log(Occurrence(SIGNING_KEYS, INSTANCE, action, values, actor))
        return states.keys
