"""Distributes the active keys to one token replica, each sealed to its ephemeral key, as a lease."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portico_contracts.keys import ActiveKeys, SealedKey
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.master_keys import MasterKeys, UnsealingFailed
from portico_oauth.opaque import RandomBytes
from portico_oauth.sealing import seal_for

from portico_keys.domain.key import DISTRIBUTED, Key
from portico_keys.domain.lifecycle import LEASE_SECONDS, find_first_signing

INVALID_PUBLIC_KEY = ErrorCode(
    "KEYS-002",
    Kind.INVALID_REQUEST,
    "The public key is not an X25519 key.",
    "Send the raw 32 bytes of an ephemeral X25519 key.",
)
NO_MASTER_KEY = ErrorCode(
    "KEYS-003",
    Kind.UNAVAILABLE,
    "A signing key cannot be decrypted.",
    "Add the master key it was encrypted with to PORTICO_MASTER_KEYS, after the newest one.",
)


@dataclass(frozen=True, slots=True)
class KeyDistribution:
    """Unseals a key only to seal it to the requester: no private key stays in memory in the clear."""

    master_keys: MasterKeys
    random: RandomBytes

    def active_keys(self, keys: Sequence[Key], requester: bytes) -> ActiveKeys:
        """Returns active and planned keys, newest first, sealed to the requester's X25519 public key (32 bytes).

        The first key of each algorithm has the activation time 0, for requesters with a slow clock.
        """
        active = sorted(
            (key for key in keys if key.state in DISTRIBUTED), key=lambda key: key.activation_order, reverse=True
        )
        sealed = tuple(
            self._sealed(key, requester, 0.0 if key is find_first_signing(active, key.alg) else key.activates_at)
            for key in active
        )
        return ActiveKeys(keys=sealed, lease=LEASE_SECONDS)

    def require_unsealable(self, keys: Sequence[Key]) -> None:
        """Raises KEYS-003 when an active key cannot be unsealed: readiness reports it before a sign-in fails."""
        for key in keys:
            if key.state in DISTRIBUTED:
                self._private_half(key)

    def _sealed(self, key: Key, requester: bytes, activates_at: float) -> SealedKey:
        private = self._private_half(key)
        try:
            sealed = seal_for(requester, key.kid, private, self.random)
        except ValueError as error:
            raise INVALID_PUBLIC_KEY.error(size=len(requester)) from error
        return SealedKey(
            kid=key.kid,
            alg=key.alg,
            activates_at=activates_at,
            sender_key=sealed.sender_key,
            nonce=sealed.nonce,
            sealed=sealed.sealed,
        )

    def _private_half(self, key: Key) -> bytes:
        if key.sealed is None:
            raise NO_MASTER_KEY.error(kid=key.kid, cause="its private key is absent")
        try:
            return self.master_keys.unseal(key.sealed, key.bound_to)
        except UnsealingFailed as error:
            raise NO_MASTER_KEY.error(kid=key.kid, cause=str(error)) from error
