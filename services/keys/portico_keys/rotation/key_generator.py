from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from portico_oauth.jose import SigningKey
from portico_oauth.master_keys import MasterKeys
from portico_oauth.opaque import RandomBytes
from portico_runtime.process.clock import Clock

from portico_keys.domain.key import Key, State


@dataclass(frozen=True, slots=True)
class KeyGenerator:
    master_keys: MasterKeys
    clock: Clock
    random: RandomBytes
    rsa_bits: int

    async def generate_key(self, alg: str, serial: int, wait: float) -> Key:
        """The key is in the state CREATED and not stored; `wait` is in seconds."""
        kid = self.random(12).hex()  # easy to select, and never an option where it is an argument of a command
        # Finding two primes takes long enough to delay every other request (P8).
        pair = await asyncio.to_thread(SigningKey.generate, kid, alg, rsa_bits=self.rsa_bits)
        key = Key(kid, alg, serial, wait, State.CREATED, self.clock.now(), pair.public_jwk(), sealed=None)
        return replace(key, sealed=self.master_keys.seal(pair.der(), key.bound_to, self.random))
