"""Counters and histograms for what every request does.

Those of prometheus_client take a lock and five to ten calls for one value. Only the thread of the event loop
may use these.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import REGISTRY, Collector


class Tally:
    """A counter: add to `count`."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0


class Tallies(Collector):
    """Counters of one metric, by the values of its labels."""

    def __init__(self, name: str, text: str, labels: Sequence[str]) -> None:
        self._metric: Final = (name, text, tuple(labels))
        self._tallies: dict[tuple[str, ...], Tally] = {}
        REGISTRY.register(self)

    def of(self, *values: str) -> Tally:
        if values not in self._tallies:
            self._tallies[values] = Tally()
        return self._tallies[values]

    def collect(self) -> Iterator[Metric]:
        name, text, labels = self._metric
        family = CounterMetricFamily(name, text, labels=labels)
        for values, tally in self._tallies.items():
            family.add_metric(values, tally.count)
        yield family

    describe = collect


class Timing:
    """A histogram of seconds."""

    __slots__ = ("_bounds", "_counts", "_sum")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    def add_to(self, family: HistogramMetricFamily, labels: Sequence[str]) -> None:
        bounds = [*(str(float(bound)) for bound in self._bounds), "+Inf"]
        family.add_metric(labels, list(zip(bounds, accumulate(self._counts), strict=True)), self._sum)


class Timings(Collector):
    """Histograms of one metric, by the values of its labels."""

    def __init__(self, name: str, text: str, bounds: Sequence[float], labels: Sequence[str] = ()) -> None:
        self._metric: Final = (name, text, tuple(labels))
        self._bounds = bounds
        self._timings: dict[tuple[str, ...], Timing] = {}
        REGISTRY.register(self)

    def of(self, *values: str) -> Timing:
        return self._timings.setdefault(values, Timing(self._bounds))

    def collect(self) -> Iterator[Metric]:
        name, text, labels = self._metric
        family = HistogramMetricFamily(name, text, labels=labels)
        for values, timing in self._timings.items():
            timing.add_to(family, values)
        yield family

    describe = collect
