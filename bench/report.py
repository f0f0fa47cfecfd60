"""What a run found: a table for people, JSON for everything else."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import msgspec

from bench.budgets import BUDGETS, TAIL, Budget, verdict
from bench.measuring import Row
from bench.rates import Rates

HEADINGS: Final = (
    "operation", "requests/s", "p50 ms", "p95 ms", "p99 ms", "busy", "CPU µs", "limit µs", "ratio", "land at", "then reach",
    "stands", "CPU µs by service",
)  # fmt: skip
_TEXT: Final = frozenset({"operation", "stands", "CPU µs by service"})


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything a run found.

    Args:
        subject: name of the target that is judged.
        limit: name of the target it is compared with; empty where there was none.
        rates: the machine's own rates, one per round.
        conditions: how it was measured.
    """

    rows: Sequence[Row]
    subject: str
    limit: str
    rates: Sequence[Rates]
    conditions: dict[str, Any]

    def of_subject(self) -> list[Row]:
        """The rows that are judged."""
        return [row for row in self.rows if row.target == self.subject]

    def limit_us(self, operation: str) -> float | None:
        """What the bare function took in the same run."""
        found = [row for row in self.rows if row.target == self.limit and row.operation == operation]
        return found[0].total_cpu_us() if found else None

    def middle_rates(self) -> Rates | None:
        """The medians of the rates."""
        if not self.rates:
            return None
        return Rates(
            sign_us={alg: _middle([rates.sign_us[alg] for rates in self.rates]) for alg in self.rates[0].sign_us},
            verify_us=_middle([rates.verify_us for rates in self.rates]),
            hash_us=_middle([rates.hash_us for rates in self.rates]),
            redis_us=_middle([rates.redis_us for rates in self.rates]),
            redis_cpu_us=_middle([rates.redis_cpu_us for rates in self.rates]),
        )

    def failures(self) -> list[str]:
        """What went wrong, on any target."""
        return [failure for row in self.rows for failure in row.failures()]


def table(findings: Findings) -> str:
    """The table and the notes below it."""
    rows = [HEADINGS, *(_cells(row, findings) for row in findings.of_subject())]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    lines = [
        "  ".join(
            cell.ljust(width) if heading in _TEXT else cell.rjust(width)
            for cell, width, heading in zip(row, widths, HEADINGS, strict=True)
        ).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:], "", *_notes(findings)])


def as_json(findings: Findings) -> bytes:
    """The same with every sample of every round."""
    value = {
        "conditions": {**findings.conditions, "machine": platform.platform(), "python": platform.python_version()},
        "rates": findings.rates,
        "operations": [_record(row, findings) for row in findings.rows],
        "failures": findings.failures(),
    }
    return msgspec.json.format(msgspec.json.encode(value))


def _cells(row: Row, findings: Findings) -> tuple[str, ...]:
    budget = BUDGETS.get(row.operation)
    figures = _figures(budget)
    if row.not_served:
        return (row.operation, *["-"] * 8, *figures, "not served", row.not_served)
    if not row.samples:
        return (row.operation, *["-"] * 8, *figures, "not measured", "")
    tail = "!" if _has_long_tail(row) else ""
    cpu, limit = row.total_cpu_us(), findings.limit_us(row.operation)
    return (
        row.operation,
        f"{row.middle(lambda sample: sample.load.per_second):,.0f}",
        f"{_milliseconds(row, 'p50_us'):.2f}",
        f"{_milliseconds(row, 'p95_us'):.2f}",
        f"{_milliseconds(row, 'p99_us'):.2f}{tail}",
        f"{row.middle(lambda sample: sample.busy):.0%}" if cpu else "-",
        _microseconds(cpu),
        _microseconds(limit),
        f"{cpu / limit:.1f}" if cpu and limit else "-",
        *figures,
        _verdict(row.operation, cpu, findings),
        ", ".join(f"{name} {spent:,.0f}" for name, spent in row.cpu_us().items() if spent >= 1),
    )


def _notes(findings: Findings) -> list[str]:
    notes = [
        "busy: CPU time of the services over time; below 100 % they waited, for stores, the disk, the generator or others."
    ]
    empty = findings.limit_us("discovery")
    rates = findings.middle_rates()
    if rates:
        signatures = ", ".join(f"{alg} {spent:.0f}" for alg, spent in rates.sign_us.items())
        nothing = f"; an empty ASGI route {empty:.0f}" if empty else ""
        notes.append(
            f"This machine, µs of CPU: signature {signatures}; RS256 verified {rates.verify_us:.0f}; password hash "
            f"{rates.hash_us:,.0f}; Redis round trip {rates.redis_cpu_us:.0f} ({rates.redis_us:.0f} µs to wait){nothing}."
        )
        notes.append("The budgets were set where a signature takes 250 (RS256) and 30 (ES256).")
    notes += [
        f"! {row.operation}: p99 is more than {TAIL} × p50." for row in findings.of_subject() if _has_long_tail(row)
    ]
    return notes


def _record(row: Row, findings: Findings) -> dict[str, Any]:
    budget = BUDGETS.get(row.operation)
    return {
        "operation": row.operation,
        "target": row.target,
        "not_served": row.not_served or None,
        "cpu_us": row.total_cpu_us(),
        "cpu_us_by_service": row.cpu_us(),
        "limit_cpu_us": findings.limit_us(row.operation),
        "busy": row.middle(lambda sample: sample.busy) if row.samples else None,
        "requests_per_second": row.middle(lambda sample: sample.load.per_second) if row.samples else None,
        "budget": asdict(budget) if budget else None,
        "stands": _verdict(row.operation, row.total_cpu_us(), findings) if row.target == findings.subject else None,
        "samples": [{"load": sample.load, "cpu_us": sample.cpu_us} for sample in row.samples],
    }


def _verdict(operation: str, cpu: float | None, findings: Findings) -> str:
    if cpu is None or operation not in BUDGETS:
        return "-"
    rates = findings.middle_rates()
    return verdict(operation, cpu, rates.hash_us) if rates else verdict(operation, cpu)


def _figures(budget: Budget | None) -> tuple[str, str]:
    if budget is None:
        return "-", "-"
    besides = "hash + " if budget.besides_hash else ""
    return f"{besides}{budget.land_at:,}", f"{besides}{budget.reach:,}"


def _has_long_tail(row: Row) -> bool:
    return bool(row.samples) and _milliseconds(row, "p99_us") > TAIL * _milliseconds(row, "p50_us")


def _milliseconds(row: Row, figure: str) -> float:
    return row.middle(lambda sample: float(getattr(sample.load, figure))) / 1000


def _microseconds(spent: float | None) -> str:
    return "-" if spent is None else f"{spent:,.0f}"


def _middle(values: Sequence[float]) -> float:
    return sorted(values)[len(values) // 2]
