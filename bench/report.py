"""What a run found: a table in Markdown with notes, and every sample as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from textwrap import fill
from typing import Any, Final

import msgspec
from portico_contracts.catalogue import SERVICES

from bench.measuring import PART, Place, Row
from bench.operations import COMPARED, REACH
from bench.rest import Rest, rest_table
from bench.table import aligned
from bench.target import LIMIT, PEER

TAIL: Final = 4  # p99 stays below this many times p50
FLAT: Final = 1.2  # what an operation over everybody costs at most, in multiples of what it costs over a hundred

SERVICES_MIB: Final = 280
GATEWAY_MIB: Final = 40
"""Memory to reach when idle, proportional set size."""

_NEAR: Final = 0.07
_BEGIN: Final = "<!-- measured -->"
_END: Final = "<!-- end -->"


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything a run found: rows, of which the subject's are compared with the limit's, memory, and use at rest."""

    rows: Mapping[Place, Row]
    subject: str
    conditions: Mapping[str, Any] = field(default_factory=dict)
    memory_mib: Mapping[str, float] = field(default_factory=dict)
    memory_after_mib: Mapping[str, float] = field(default_factory=dict)
    at_rest: Mapping[str, float] = field(default_factory=dict)
    rests: Sequence[Rest] = ()
    no_peer: str = ""
    """Why the peer was not measured."""

    def of_subject(self, *, direct: bool = False) -> list[Row]:
        """The rows that are judged, asked one way."""
        return [row for at, row in self.rows.items() if at.target == self.subject and at.direct is direct]

    def limit_us(self, operation: str) -> float | None:
        """What the bare function took in the same run, its stores included."""
        of = (row.total_cpu_us() for at, row in self.rows.items() if (at.target, at.operation) == (LIMIT, operation))
        return next(of, None)

    def peer_ratio(self, operation: str) -> float | None:
        """What the peer took in multiples of the limit."""
        rows = (row for at, row in self.rows.items() if (at.target, at.operation) == (PEER, operation))
        return next((self.ratio(row) for row in rows), None)

    def ratio(self, row: Row) -> float | None:
        """CPU time in multiples of the limit, or of the operation it is compared with; None where either is not known."""
        cpu, unit = row.total_cpu_us(), self._unit_us(row)
        return cpu / unit if cpu and unit else None

    def _unit_us(self, row: Row) -> float | None:
        operation = row.place.operation
        if operation not in COMPARED:
            return self.limit_us(operation)
        compared = self.rows.get(replace(row.place, operation=COMPARED[operation]))
        return compared.total_cpu_us() if compared else None

    def ratios(self) -> dict[str, float]:
        """Every ratio of the subject by its place; idle memory in multiples of what is to be reached."""
        rows = {str(row.place): self.ratio(row) for direct in (False, True) for row in self.of_subject(direct=direct)}
        memory = {
            "idle memory of the services": services_mib(self.memory_mib) / SERVICES_MIB,
            "idle memory of the gateway": self.memory_mib.get("gateway", 0) / GATEWAY_MIB,
        }
        return {name: round(ratio, 2) for name, ratio in {**rows, **memory}.items() if ratio}

    def failures(self) -> list[str]:
        """What went wrong, on any target."""
        return [failure for row in self.rows.values() for failure in row.failures()]


def as_json(findings: Findings) -> bytes:
    """Every sample of every round, with the ratios."""
    rows = {"rows": list(findings.rows.values()), "ratios": findings.ratios(), "failures": findings.failures()}
    return msgspec.json.format(msgspec.json.encode({**msgspec.to_builtins(replace(findings, rows={})), **rows}))


def table(findings: Findings) -> str:
    """In Markdown, with columns of equal width, and the notes below."""
    components = list(dict.fromkeys(name for row in findings.of_subject() for name in row.cpu_us()))
    left = ("operation", "people", "limit µs", "gateway µs", "limits", "reach", "verdict", PEER, "direct µs", "limits")
    head = [*left, *components, "per s", "p50 ms", "p99 ms", "busy", f"p99 ms at {PART:.0%}"]
    cells = [_cells(row, findings, components) for row in findings.of_subject()]
    rows = aligned(head, cells)
    notes = [fill(note, 120, initial_indent="- ", subsequent_indent="  ") for note in _notes(findings)]
    return "\n".join([*rows, "", *notes, "", *_rest(findings.rests)])


def _rest(rests: Sequence[Rest]) -> Iterator[str]:
    if rests:
        numbers = " and ".join(str(rest.replicas) for rest in rests)
        yield fill(
            f"At rest, over {rests[0].seconds} s: `make up` with {numbers} of each service. For each: share of a core, wake-ups "
            "a second, segments sent to Redis, MongoDB and NATS a second (commands or batches), memory (PSS).",
            120,
        )
        yield from ("", rest_table(rests), "")


def put_into(document: Path, text: str) -> None:
    """Replaces what is between the two marks of a document."""
    before, begin, rest = document.read_text(encoding="utf-8").partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise ValueError(f"{document} has no {_BEGIN} with a {_END} below it")
    document.write_text(f"{before}{begin}\n{text}{end}{after}", encoding="utf-8")


def _cells(row: Row, findings: Findings, components: Sequence[str]) -> list[str]:
    operation, people = row.place.operation, f"{row.place.people:,}" if row.place.people else ""
    start, reach = [operation, people, _number(findings.limit_us(operation))], f"{REACH[operation]:g}"
    if not row.samples:
        return [*start, "-", "-", reach, f"not served: {row.not_served}", *("-" * (len(components) + 8))]
    direct = findings.rows.get(replace(row.place, direct=True))
    spent, ratio = row.cpu_us(), findings.ratio(row)
    over = round(100 * ((ratio or 0) / REACH[operation] - 1))
    p50, p99 = row.middle(lambda sample: sample.load.p50_us), row.middle(lambda sample: sample.load.p99_us)
    return [
        *start,
        _number(row.total_cpu_us()),
        _number(ratio, 2) + " ×" if operation in COMPARED else _number(ratio, 1),
        reach,
        "-" if ratio is None else f"{over} % over" if over > 0 else "reached",
        _number(findings.peer_ratio(operation), 1),
        _number(direct.total_cpu_us() if direct else None),
        _number(findings.ratio(direct) if direct else None, 1),
        *(_number(spent.get(name)) for name in components),
        _number(row.middle(lambda sample: sample.load.per_second)),
        _number(p50 / 1000, 2),
        _number(p99 / 1000, 2) + "!" * (p99 > TAIL * p50),
        f"{row.middle(lambda sample: sum(sample.cpu_us.values()) * sample.load.per_second) / 1e6:.0%}"
        if spent
        else "-",
        _at_part(row),
    ]


def _at_part(row: Row) -> str:
    """The p99, with the share of the rate that was really reached where that is another one."""
    if row.part_load is None:
        return "-"
    load = row.part_load.load
    share = load.per_second / row.middle(lambda sample: sample.load.per_second)
    reached = "" if abs(share - PART) <= _NEAR else f" ({share:.0%})"
    return _number(load.p99_us / 1000, 2) + reached


def _notes(findings: Findings) -> Iterator[str]:
    yield (
        "µs of processor time per request (per user at an import), summed over all components; the columns by component "
        "are of the way through the gateway. busy: of the one core they share; below 100 % they waited. "
        f"!: p99 is more than {TAIL} × p50. The last column is at {PART:.0%} of the rate, with requests that arrive "
        "independently."
    )
    yield (
        f"{PEER} was not measured: {findings.no_peer}."
        if findings.no_peer
        else (
            f"{PEER}: a library in one process, in production mode, with Redis by ioredis with enableAutoPipelining, and without a"
            " gateway, in multiples of the limit."
        )
    )
    if findings.at_rest and not findings.rests:
        parts = ", ".join(f"{name} {share:.1%}" for name, share in findings.at_rest.items())
        yield f"At rest the components use {sum(findings.at_rest.values()):.1%} of a core: {parts}."
    for when, memory in (("idle", findings.memory_mib), ("after the rounds", findings.memory_after_mib)):
        if memory:
            parts = ", ".join(f"{name} {size:.0f}" for name, size in memory.items())
            yield (
                f"Memory {when}, MiB (PSS): services {services_mib(memory):.0f} (to reach {SERVICES_MIB}), gateway "
                f"{memory.get('gateway', 0):.0f} (to reach {GATEWAY_MIB}); {parts}."
            )
    for name, compared in COMPARED.items():
        yield f"{name}: ×, in multiples of {compared} with as many people in the same run."
    for row in findings.of_subject():
        few = min(one.place.people for one in findings.of_subject() if one.place.operation == row.place.operation)
        much, little = row.total_cpu_us(), findings.rows[replace(row.place, people=few)].total_cpu_us()
        if row.place.people > few and much and little:
            of = f"over {row.place.people:,} people {much / little:.2f} times what it costs over {few:,}"
            yield f"{row.place.operation}: {of} (to reach {FLAT})."
    # Later operations are about people who are known already.
    first = next((row.first for row in findings.of_subject() if row.first and row.first.cpu_us), None)
    if first:
        yield f"The first request of all about a person cost {sum(first.cpu_us.values()):,.0f} µs."


def services_mib(memory: Mapping[str, float]) -> float:
    return sum(memory.get(name, 0) for name in SERVICES)


def _number(value: float | None, digits: int = 0) -> str:
    return "-" if value is None else f"{value:,.{digits}f}"
