from __future__ import annotations

from typing import Final

from portico_oauth.errors import ServiceError
from prometheus_client.metrics import Counter

MOST: Final = 100
"""Maximum number of error ids with their own time series per process."""

OTHERS: Final = "others"

_REFUSALS: Final = Counter("portico_refusals_total", "Refused requests by error id.", ["error"])
_seen: Final[set[str]] = set()


def count_error(error: ServiceError) -> None:
    if error.id not in _seen and len(_seen) < MOST:
        _seen.add(error.id)
    _REFUSALS.labels(error.id if error.id in _seen else OTHERS).inc()
