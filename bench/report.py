"""What a run found, and all of it as JSON; `bench.table` shows it to people."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import msgspec

from bench.budgets import BUDGETED, BUDGETS, GATEWAY_MIB, SERVICES_MIB, TAIL, verdict
from bench.measuring import Row, Way
from bench.rates import Rates


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything a run found.

    Args:
        subject: name of the target that is judged.
        limit: name of the target it is compared with; empty where there was none.
        rates: the machine's own rates, one per round.
        conditions: how it was measured.
        memory_mib: proportional set size by component before any load.
        memory_after_mib: the same after all rounds.
        at_rest: the share of a core every component uses while nothing is requested, which is not part of the figures.
    """

    rows: Sequence[Row]
    subject: str
    limit: str
    rates: Sequence[Rates]
    conditions: dict[str, Any]
    memory_mib: Mapping[str, float] = field(default_factory=dict)
    memory_after_mib: Mapping[str, float] = field(default_factory=dict)
    at_rest: Mapping[str, float] = field(default_factory=dict)

    def of_subject(self, way: Way = Way.FRONT) -> list[Row]:
        """The rows that are judged, asked one way."""
        rows = (row for row in self.rows if row.place.target == self.subject and not row.place.stored)
        return [row for row in rows if row.place.way is way]

    def when_full(self, row: Row) -> Row | None:
        """The row of the same when much was stored, where it was measured."""
        places = (row.place._replace(stored=one.place.stored) for one in self.rows if one.place.stored)
        wanted = set(places)
        return next((one for one in self.rows if one.place in wanted), None)

    def direct(self, row: Row) -> Row | None:
        """The row of the same past the gateway, where it was measured."""
        found = (one for one in self.of_subject(Way.DIRECT) if one.place == row.place._replace(way=Way.DIRECT))
        return next(found, None)

    def limit_us(self, operation: str) -> float | None:
        """What the bare function took in the same run, its stores included."""
        places = ((row.place.target, row.place.operation) for row in self.rows)
        found = [
            row for row, place in zip(self.rows, places, strict=True) if self.limit and place == (self.limit, operation)
        ]
        return found[0].total_cpu_us() if found else None

    def ratio(self, row: Row) -> float | None:
        """CPU time in multiples of the limit; None where either is not known."""
        cpu, limit = row.total_cpu_us(), self.limit_us(row.place.operation)
        return cpu / limit if cpu and limit else None

    def ratios(self) -> dict[str, float]:
        """Every ratio of the subject by `name_of` its row, and its idle memory."""
        named = [(name_of(row), self.ratio(row)) for way in Way for row in self.of_subject(way)]
        return {name: round(ratio, 2) for name, ratio in [*named, *self._memory()] if ratio}

    def services_mib(self) -> float:
        """Idle memory of the services together."""
        return sum(self.memory_mib.get(name, 0) for name in BUDGETED)

    def _memory(self) -> list[tuple[str, float]]:
        """In multiples of what is to be reached, for there is no other limit."""
        gateway = self.memory_mib.get("gateway", 0)
        return [
            ("idle memory of the services", self.services_mib() / SERVICES_MIB),
            ("idle memory of the gateway", gateway / GATEWAY_MIB),
        ]

    def middle_rates(self) -> Rates | None:
        """The medians of the rates."""
        if not self.rates:
            return None
        return Rates(
            sign_us={alg: median(rates.sign_us[alg] for rates in self.rates) for alg in self.rates[0].sign_us},
            verify_us=median(rates.verify_us for rates in self.rates),
            hash_us=median(rates.hash_us for rates in self.rates),
            redis_us=median(rates.redis_us for rates in self.rates),
            redis_cpu_us=median(rates.redis_cpu_us for rates in self.rates),
        )

    def failures(self) -> list[str]:
        """What went wrong, on any target."""
        return [failure for row in self.rows for failure in row.failures()]


def name_of(row: Row) -> str:
    """A row in words that stay the same from run to run."""
    people = f", {row.place.people:,} people" if row.place.people else ""
    return f"{row.place.operation}{people}, {row.place.way}"


def has_long_tail(row: Row) -> bool:
    """True when p99 is too far from p50."""
    return bool(row.samples) and milliseconds(row, "p99_us") > TAIL * milliseconds(row, "p50_us")


def milliseconds(row: Row, figure: str) -> float:
    """The median of a latency."""
    return row.middle(lambda sample: float(getattr(sample.load, figure))) / 1000


def verdict_of(row: Row, findings: Findings) -> str:
    """How a row compares with its budget, in words."""
    ratio = findings.ratio(row)
    return verdict(row.place.operation, ratio) if ratio and row.place.operation in BUDGETS else "-"


def as_json(findings: Findings) -> bytes:
    """The findings with every sample of every round."""
    value = {
        "conditions": {**findings.conditions, "machine": platform.platform(), "python": platform.python_version()},
        "rates": findings.rates,
        "memory_mib": {"idle": findings.memory_mib, "after": findings.memory_after_mib},
        "at_rest": findings.at_rest,
        "operations": [_record(row, findings) for row in findings.rows],
        "ratios": findings.ratios(),
        "failures": findings.failures(),
    }
    return msgspec.json.format(msgspec.json.encode(value))


def _record(row: Row, findings: Findings) -> dict[str, Any]:
    budget = BUDGETS.get(row.place.operation)
    return {
        "operation": row.place.operation,
        "target": row.place.target,
        "way": row.place.way,
        "people": row.place.people or None,
        "stored": row.place.stored or None,
        "not_served": row.not_served or None,
        "cpu_us": row.total_cpu_us(),
        "cpu_us_by_component": row.cpu_us(),
        "limit_cpu_us": findings.limit_us(row.place.operation),
        "ratio": findings.ratio(row) if row.place.target == findings.subject else None,
        "busy": row.middle(lambda sample: sample.busy) if row.samples else None,
        "requests_per_second": row.middle(lambda sample: sample.load.per_second) if row.samples else None,
        "budget": budget.limits if budget else None,
        "verdict": verdict_of(row, findings) if row.place.target == findings.subject else None,
        "samples": [{"load": sample.load, "cpu_us": sample.cpu_us} for sample in row.samples],
        "first": [{"load": sample.load, "cpu_us": sample.cpu_us} for sample in row.first],
    }
