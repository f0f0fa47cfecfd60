"""Findings with figures that are written down."""

from __future__ import annotations

from bench.measuring import Place, Row, Sample, Way
from bench.rates import Rates
from bench.report import Findings
from bench.wrk import Errors, Load

RATES = Rates(sign_us={"RS256": 250, "ES256": 30}, verify_us=25, hash_us=20_000, redis_us=90, redis_cpu_us=40)


def sample(cpu_us: dict[str, float], *, p99_us: float = 3_000, errors: Errors | None = None) -> Sample:
    """One run of 5,000 requests in a second."""
    load = Load(
        duration_us=1e6, requests=5_000, operations=5_000, p50_us=1_000, p95_us=2_000, p99_us=p99_us,
        errors=errors or Errors(), first_bad="request: 500" if errors else "",
    )  # fmt: skip
    return Sample(load, cpu_us)


def limit_row(operation: str, *samples: Sample) -> Row:
    """A row of the bare function."""
    return Row(Place(operation, "limit"), list(samples))


def portico_row(operation: str, *samples: Sample, way: Way = Way.FRONT, people: int = 0) -> Row:
    """A row of what is judged."""
    return Row(Place(operation, "portico", way, people), list(samples))


def findings(*rows: Row) -> Findings:
    """A run of these rows."""
    return Findings(rows, subject="portico", limit="limit", rates=[RATES], conditions={"rounds": 3})
