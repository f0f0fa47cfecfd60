"""Rotation and revocation on request; the next key signs before a revoked one is removed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from portico_oauth.errors import ErrorCode, Kind

from portico_keys.domain.key import Key, State
from portico_keys.domain.lifecycle import earliest_activation, find_next, is_only_signing, next_serial
from portico_keys.rotation.key_rotation import KeyRotation, publish_key_event

NO_SUCH_KEY = ErrorCode(
    "KEYS-005",
    Kind.NOT_FOUND,
    "Signing key not found.",
    "List the keys. A key is removed when the last token it signed expires.",
)
ALGORITHM_NOT_CONFIGURED = ErrorCode(
    "KEYS-006",
    Kind.INVALID_REQUEST,
    "No keys are configured for this algorithm.",
    "Choose one of PORTICO_SIGNING_ALGORITHMS, or omit the algorithm to select all.",
)


@dataclass(frozen=True, slots=True)
class OnDemandRotation:
    """`now_wait` is the seconds a key is published before it signs, for a rotation with `now`."""

    rotation: KeyRotation
    now_wait: float

    async def rotate(self, alg: str, *, now: bool) -> None:
        """Publishes a new key of an algorithm, or one of each; it signs after its waiting time."""
        algorithms = self.rotation.algorithms
        if alg and alg not in algorithms:
            raise ALGORITHM_NOT_CONFIGURED.error(alg=alg)
        wait = self.now_wait if now else self.rotation.policy.wait
        for each in (alg,) if alg else algorithms:
            await self._claim(each, wait, await self.rotation.store.list_keys())
        await self.rotation.reconcile()

    async def revoke(self, kid: str) -> None:
        """Removes a key from the key set and from every replica that signs with it; idempotent."""
        keys = await self.rotation.store.list_keys()
        key = _key_in(keys, kid)
        if is_only_signing(key, keys):
            await self._activate_successor(key, keys)
        while key.state is not State.REVOKED:  # another replica may change its state meanwhile
            revoked = key.transitioned(State.REVOKED, self.rotation.clock.now())
            won = await self.rotation.store.transition_key(revoked, was=key.state)
            key = revoked if won else _key_in(await self.rotation.store.list_keys(), kid)
        # Published the second time as well: the first replica may have stopped between the store and the event.
        await publish_key_event(self.rotation.bus, key)
        await self.rotation.reconcile()

    async def _activate_successor(self, key: Key, keys: list[Key]) -> None:
        waiting = find_next(keys, key.alg)
        if waiting is None:
            await self._claim(key.alg, 0.0, keys)
            await self.rotation.reconcile()
            return
        signing = waiting.transitioned(
            State.SIGNING, self.rotation.clock.now(), after=earliest_activation(keys, key.alg)
        )
        if await self.rotation.store.transition_key(signing, was=State.PUBLISHED):
            await publish_key_event(self.rotation.bus, signing)

    async def _claim(self, alg: str, wait: float, keys: list[Key]) -> None:
        """If two replicas are requested at once, one creates the key and both succeed."""
        made = await self.rotation.generator.generate_key(alg, next_serial(keys, alg), wait)
        while not await self.rotation.store.claim_key(made):
            keys = await self.rotation.store.list_keys()
            if any(key.alg == alg and key.serial == made.serial and key.wait <= wait for key in keys):
                return
            made = replace(made, serial=next_serial(keys, alg))


def _key_in(keys: list[Key], kid: str) -> Key:
    for key in keys:
        if key.kid == kid and key.state is not State.EXPIRED:
            return key
    raise NO_SUCH_KEY.error(kid=kid)
