"""Rotates and revokes signing keys out of schedule, at the request of an administrator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_contracts.keys import REVOKE_KEY, ROTATE_KEYS, KeyState, KeyStates, RevokeKey, RotateKeys
from portico_contracts.subjects import Request, Rpc

from portico_users.commands.command import Command
from portico_users.kernel.bus import Bus
from portico_users.kernel.entry import Document
from portico_users.kernel.event_recorder import Occurrence
from portico_users.kernel.journal import Journal
from portico_users.kernel.names import INSTANCE

SIGNING_KEYS: Final = "signingKeys"
"""What the event log calls them."""

_SECONDS: Final = 30.0
"""A large RSA key for each algorithm takes a while."""


@dataclass(frozen=True, slots=True)
class ChangeSigningKeys(Command):
    """What keys does when it is requested to; who requested it is in the event log.

    keys publishes the events of its keys itself, and knows no caller: this adds who it was. Where the log cannot be
    written the caller gets 503 and may repeat it: one more key waits, and a revoked key is revoked.
    """

    bus: Bus
    journal: Journal

    async def rotate(self, alg: str, *, now: bool, actor: str) -> tuple[KeyState, ...]:
        """Publishes a new key of an algorithm, or one of each; the keys afterwards.

        Args:
            alg: empty for all that are configured.
            now: let it sign after the short wait, not the planned one.

        Raises:
            ServiceError: KEYS-006 for an algorithm that is not configured, `unavailable`.
        """
        message = RotateKeys(alg=alg, now=now)
        return await self._change(ROTATE_KEYS, message, actor, "rotated", {"alg": alg, "now": now})

    async def revoke(self, kid: str, *, actor: str) -> tuple[KeyState, ...]:
        """Revokes a key at once; the keys afterwards.

        Raises:
            ServiceError: KEYS-005 for a key that is unknown or has expired, `unavailable`.
        """
        return await self._change(REVOKE_KEY, RevokeKey(kid=kid), actor, "revoked", {"kid": kid})

    async def _change(
        self, rpc: Rpc[Request, KeyStates], message: Request, actor: str, action: str, values: Document
    ) -> tuple[KeyState, ...]:
        states = await self.bus.call(rpc, message, seconds=_SECONDS)
        await self.journal.log(Occurrence(SIGNING_KEYS, INSTANCE, action, values, actor))
        return states.keys
