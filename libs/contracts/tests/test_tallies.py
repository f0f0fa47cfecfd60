from __future__ import annotations

from portico_contracts.tallies import Tallies, Timings
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.registry import Collector

BOUNDS = (0.005, 0.5, 2.0)
SECONDS = (0.0, 0.005, 0.0051, 1.0, 7.5)


def shown(*collectors: Collector) -> list[str]:
    """The lines of /metrics, without the time of creation, which only the library's have."""
    registry = CollectorRegistry()
    for collector in collectors:
        registry.register(collector)
    return [line for line in generate_latest(registry).decode().splitlines() if "_created" not in line]


def test_shown_like_those_of_prometheus_client() -> None:
    tallies, counter = Tallies("tried_total", "Tries.", ["kind"]), Counter("tried", "Tries.", ["kind"], registry=None)
    timing = Timings("tried_seconds", "Duration.", BOUNDS, ["kind"])
    histogram = Histogram("tried_seconds", "Duration.", ["kind"], buckets=BOUNDS, registry=None)
    for kind in ("a", "b", "a"):
        tallies.of(kind).count += 1
        counter.labels(kind).inc()
        for seconds in SECONDS:
            timing.of(kind).observe(seconds)
            histogram.labels(kind).observe(seconds)

    assert shown(tallies, timing) == shown(counter, histogram)
