"""The machine's own rates: signatures, password hashes, Redis round trips. ``python -m bench.rates`` prints JSON.

Run as a process of its own, pinned to the core the services have. Reads the address of a Redis and the password
of its user from ``PORTICO_REDIS_URL`` and ``PORTICO_REDIS_PASSWORD``.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from functools import partial

import argon2
import msgspec
import uvloop
from portico_runtime.settings import HashingSection, RedisSection, load

from bench.limits.app import USER
from bench.limits.redis_line import connect
from bench.limits.signatures import ALGORITHMS, Signer, Verifier

_SECONDS = 0.4
_ROUND_TRIPS = 3_000
_DATA = b"x" * 400


class Rates(msgspec.Struct, frozen=True):
    """Microseconds each.

    Attributes:
        sign_us: CPU time of a signature by algorithm.
        verify_us: CPU time of verifying an RS256 signature.
        hash_us: CPU time of a password hash.
        redis_us: wall time of one PING, alone on the line.
        redis_cpu_us: our CPU time of it.
    """

    sign_us: dict[str, float]
    verify_us: float
    hash_us: float
    redis_us: float
    redis_cpu_us: float


class RateSettings(RedisSection, HashingSection):
    """What is needed to measure."""


def cost_of(work: Callable[[], object], seconds: float = _SECONDS) -> float:
    """CPU microseconds of one call, measured over so many seconds of CPU time."""
    work()
    calls, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        work()
        calls += 1
    return spent * 1e6 / calls


def measure(settings: RateSettings) -> Rates:
    """Measures everything, one after the other."""
    signers = {alg: Signer(alg) for alg in ALGORITHMS}
    verifier, signature = Verifier(signers["RS256"]), signers["RS256"].signature(_DATA)
    hasher = argon2.PasswordHasher(
        time_cost=settings.argon2_passes, memory_cost=settings.argon2_memory_kib, parallelism=1
    )
    wall, cpu = uvloop.run(_round_trips(settings))
    return Rates(
        sign_us={alg: cost_of(partial(signer.signature, _DATA)) for alg, signer in signers.items()},
        verify_us=cost_of(partial(verifier.verify, _DATA, signature)),
        hash_us=cost_of(partial(hasher.hash, "a password of some length")),
        redis_us=wall,
        redis_cpu_us=cpu,
    )


async def _round_trips(settings: RedisSection) -> tuple[float, float]:
    line = await connect(settings.redis_url, USER, settings.redis_password.get_secret_value())
    await line.ask("PING")
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(_ROUND_TRIPS):
        await line.ask("PING")
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    line.close()
    await asyncio.sleep(0)
    return wall * 1e6 / _ROUND_TRIPS, cpu * 1e6 / _ROUND_TRIPS


if __name__ == "__main__":
    sys.stdout.write(msgspec.json.encode(measure(load(RateSettings))).decode())
