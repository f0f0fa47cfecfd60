from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

from portico_contracts.tallies import Tallies, Timing, Timings

_SECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)

MONGO: Final[Timing] = Timings(
    "portico_mongo_seconds", "Duration of a MongoDB operation, which may consist of several commands.", _SECONDS
).of()
_REDIS: Final = Timings("portico_redis_seconds", "Duration of a batch of Redis commands.", _SECONDS, ["kind"])
_READS: Final = _REDIS.of("read")
_WRITES: Final = _REDIS.of("write")

CACHED: Final = Tallies(
    "portico_cache_answers_total", "Cache lookups, by cache and source: memory or owner.", ["cache", "source"]
)


class _Sent(Protocol):
    @property
    def writes(self) -> bool: ...


def observe_redis(commands: Iterable[_Sent], seconds: float) -> None:
    for command in commands:
        if command.writes:
            _WRITES.observe(seconds)
            return
    _READS.observe(seconds)
