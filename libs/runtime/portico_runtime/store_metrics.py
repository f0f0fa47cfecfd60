from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

from prometheus_client.metrics import Counter, Histogram

_SECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)

MONGO: Final = Histogram(
    "portico_mongo_seconds", "Duration of a MongoDB operation, which may consist of several commands.", buckets=_SECONDS
)
_REDIS: Final = Histogram("portico_redis_seconds", "Duration of a batch of Redis commands.", ["kind"], buckets=_SECONDS)
_READS: Final = _REDIS.labels("read")
_WRITES: Final = _REDIS.labels("write")

CACHED: Final = Counter(
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
