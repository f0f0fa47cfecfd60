"""The findings for people: a table at the terminal, the same in Markdown, and the notes below both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from bench.budgets import BUDGETED, BUDGETS, FLAT, FLAT_STORED, GATEWAY_MIB, SERVICES_MIB, TAIL
from bench.measuring import Row, Way
from bench.report import Findings, has_long_tail, milliseconds, verdict_of

_LEFT: Final = (
    "operation", "people", "limit µs", "gateway µs", "limits", "reach", "verdict", "direct µs", "limits ",
)  # fmt: skip
_RIGHT: Final = ("per s", "p50 ms", "p99 ms", "busy")
_TEXT: Final = frozenset({"operation", "verdict"})
_GATEWAY: Final = "gateway"
_NONE: Final = "-"
_BEGIN: Final = "<!-- measured -->"
_END: Final = "<!-- end -->"


def text_table(findings: Findings) -> str:
    """For the terminal, with the notes."""
    rows = _rows(findings)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if heading in _TEXT else cell.rjust(width)
            for cell, width, heading in zip(row, widths, rows[0], strict=True)
        ).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:], "", *notes(findings)])


def markdown_table(findings: Findings) -> str:
    """For a document, with the notes as a list."""
    rows = _rows(findings)
    ruler = tuple("---" if heading in _TEXT else "--:" for heading in rows[0])
    lines = [f"| {' | '.join(cell.strip() for cell in row)} |" for row in (rows[0], ruler, *rows[1:])]
    return "\n".join([*lines, "", *(f"- {note}" for note in notes(findings))]) + "\n"


def put_into(document: Path, text: str) -> Path:
    """Replaces what is between the two marks of a document; returns its path.

    Raises:
        ValueError: when it has no such marks.
    """
    before, begin, rest = document.read_text(encoding="utf-8").partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise ValueError(f"{document} has no {_BEGIN} with a {_END} below it")
    document.write_text(f"{before}{begin}\n{text}{end}{after}", encoding="utf-8")
    return document


def notes(findings: Findings) -> list[str]:
    """What the table does not show."""
    return [
        *_conditions(findings),
        *_rates(findings),
        *_at_rest(findings),
        *_memory(findings),
        *_people(findings),
        *_stored(findings),
        *_tails(findings),
    ]


def _rows(findings: Findings) -> list[tuple[str, ...]]:
    components = _components(findings)
    headings = (*_LEFT, *(f"{name} " if name == _GATEWAY else name for name in components), *_RIGHT)
    return [headings, *(_cells(row, findings, components) for row in findings.of_subject())]


def _components(findings: Findings) -> list[str]:
    found: dict[str, None] = {}
    for row in findings.of_subject():
        found |= dict.fromkeys(row.cpu_us())
    return list(found)


def _cells(row: Row, findings: Findings, components: Sequence[str]) -> tuple[str, ...]:
    operation, people = row.place.operation, f"{row.place.people:,}" if row.place.people else ""
    limit = _microseconds(findings.limit_us(operation))
    reach = f"{BUDGETS[operation].limits:.1f}" if operation in BUDGETS else _NONE
    if not row.samples:
        missing = [_NONE] * (len(components) + len(_RIGHT) + 2)
        reason = f"not served: {row.not_served}" if row.not_served else "not measured"
        return (operation, people, limit, _NONE, _NONE, reach, reason, *missing)
    direct, spent = findings.direct(row), row.cpu_us()
    return (
        operation,
        people,
        limit,
        _microseconds(row.total_cpu_us()),
        _times(findings.ratio(row)),
        reach,
        verdict_of(row, findings),
        _microseconds(direct.total_cpu_us() if direct else None),
        _times(findings.ratio(direct) if direct else None),
        *(_microseconds(spent.get(name)) for name in components),
        f"{row.middle(lambda sample: sample.load.per_second):,.0f}",
        f"{milliseconds(row, 'p50_us'):.2f}",
        f"{milliseconds(row, 'p99_us'):.2f}{'!' if has_long_tail(row) else ''}",
        f"{row.middle(lambda sample: sample.busy):.0%}" if spent else _NONE,
    )


def _conditions(findings: Findings) -> Iterator[str]:
    yield (
        "µs of processor time per request (per user at an import), summed over all components; the columns by component "
        "are of the way through the gateway. busy: of the one core they share; below 100 % they waited."
    )
    replicas = findings.conditions.get("replicas", {})
    several = ", ".join(f"{count} of {service}" for service, count in replicas.items() if count > 1)
    if several:
        yield f"Processes: {several}."


def _rates(findings: Findings) -> Iterator[str]:
    rates = findings.middle_rates()
    if rates:
        signatures = ", ".join(f"{alg} {spent:.0f}" for alg, spent in rates.sign_us.items())
        yield (
            f"This machine, µs: signature {signatures}; RS256 verified {rates.verify_us:.0f}; password hash "
            f"{rates.hash_us:,.0f}; Redis round trip {rates.redis_cpu_us:.0f} of ours ({rates.redis_us:.0f} to wait)."
        )


def _at_rest(findings: Findings) -> Iterator[str]:
    if findings.at_rest:
        parts = ", ".join(f"{name} {share:.1%}" for name, share in findings.at_rest.items())
        yield f"At rest the components use {sum(findings.at_rest.values()):.1%} of a core: {parts}."


def _memory(findings: Findings) -> Iterator[str]:
    for when, memory in (("idle", findings.memory_mib), ("after the rounds", findings.memory_after_mib)):
        if memory:
            services = sum(memory.get(name, 0) for name in BUDGETED)
            parts = ", ".join(f"{name} {size:.0f}" for name, size in memory.items())
            yield (
                f"Memory {when}, MiB (PSS): five services {services:.0f} (to reach {SERVICES_MIB}), gateway "
                f"{memory.get(_GATEWAY, 0):.0f} (to reach {GATEWAY_MIB}); {parts}."
            )


def _people(findings: Findings) -> Iterator[str]:
    rows = findings.of_subject()
    for row in rows:
        fewest = min(one.place.people for one in rows if one.place.operation == row.place.operation)
        few = next(one for one in rows if one.place == row.place._replace(people=fewest))
        much, little = row.total_cpu_us(), few.total_cpu_us()
        if row is not few and much and little:
            yield (
                f"{row.place.operation}: over {row.place.people:,} people {much / little:.2f} times what it costs over "
                f"{fewest:,} (to reach {FLAT})."
            )
    # Later operations are about people who are known already.
    first = next((_first(row) for row in rows if row.first), None)
    if first:
        yield f"The first request of all about a person cost {first:,.0f} µs."


def _stored(findings: Findings) -> Iterator[str]:
    for row in findings.of_subject():
        full = findings.when_full(row)
        much, little = full.total_cpu_us() if full else None, row.total_cpu_us()
        if full and much and little:
            yield (
                f"{row.place.operation}: with {full.place.stored:,} users and grants stored {much / little:.2f} times "
                f"what it costs without them (to reach {FLAT_STORED})."
            )


def _first(row: Row) -> float | None:
    return sum(row.first[0].cpu_us.values()) if row.first and row.first[0].cpu_us else None


def _tails(findings: Findings) -> Iterator[str]:
    for way in Way:
        for row in findings.of_subject(way):
            if has_long_tail(row) and way is Way.FRONT:
                yield f"! {row.place.operation}: p99 is more than {TAIL} × p50."


def _microseconds(spent: float | None) -> str:
    return _NONE if spent is None else f"{spent:,.0f}"


def _times(ratio: float | None) -> str:
    return _NONE if ratio is None else f"{ratio:.1f}"
