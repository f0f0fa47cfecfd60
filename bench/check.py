"""Compares this tree with a commit, in one run: ``python -m bench.check --help``.

Python calls first, then processor time in rounds that alternate. The status is 1 when something became dearer.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import httpx

from bench.calls import calls_table, count_calls, more_calls
from bench.comparison import ALLOWED, Comparison, compare, comparison_table
from bench.measuring import Measuring
from bench.operations import OPERATIONS, Operation, named
from bench.processes import split_cores
from bench.ratios import last_release
from bench.relying_party import discover
from bench.report import services_mib
from bench.target import BenchFailed, say
from bench.trees import ROOT, Tree, check_out, this_tree, tree_running

_SECOND_LOOKS: Final = 2
"""How often the rounds are repeated for operations that look dearer."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Memory is that of all services, before and now."""

    comparisons: Sequence[Comparison]
    memory_mib: tuple[float, float]
    failures: Sequence[str]

    def dearer(self) -> Iterator[str]:
        for one in self.comparisons:
            if one.is_dearer:
                yield f"{one.operation}: {one.change:+.0%} processor time, while rounds differ by {one.spread:.0%}"
        before, now = self.memory_mib
        if now > before * ALLOWED:
            yield f"memory of the services: {now:.0f} MiB, before {before:.0f}"


async def measure(trees: Sequence[Tree], options: argparse.Namespace) -> Measured:
    """Rounds over both; operations over the bound are measured again."""
    async with AsyncExitStack() as opened:
        data = Path(opened.enter_context(TemporaryDirectory(prefix="portico-check-", ignore_cleanup_errors=True)))
        http = await opened.enter_async_context(httpx.AsyncClient(trust_env=False, timeout=30))
        targets = [
            await opened.enter_async_context(tree_running(one, options.people, data / one.name)) for one in trees
        ]
        split_cores(pid for target in targets for several in target.pids.values() for pid in several)
        parties = [await discover(target, http) for target in targets]
        measuring = Measuring(parties, options.seconds, data, few=False)
        memory = [services_mib(meter.memory_mib()) for meter in measuring.meters.values()]
        again: Sequence[Operation] = options.only
        for _ in range(1 + _SECOND_LOOKS):
            for _ in range(options.rounds if again else 0):
                await measuring.round(again)
            found = compare(measuring.rows)
            over = {one.operation for one in found if one.over}
            again = [operation for operation in options.only if operation.name in over]
        failures = [failure for row in measuring.rows.values() for failure in row.failures()]
        return Measured(found, (memory[0], memory[1]), failures)


def main() -> int:
    options = _parser().parse_args()
    began = time.monotonic()
    try:
        commit = options.against or last_release(ROOT)
        trees = [check_out(commit), this_tree()]
        calls = asyncio.run(count_calls(trees, options.only, options.people))
        measured = asyncio.run(measure(trees, options))
    except (BenchFailed, httpx.HTTPError, OSError) as problem:
        sys.stderr.write(f"bench: {problem}\n")
        return 2
    before, now = measured.memory_mib
    say(f"\nCompared with {commit}, in {(time.monotonic() - began) / 60:.0f} minutes.")
    say(f"\nPython calls per operation, before → now\n\n{calls_table(calls)}")
    say(f"\nProcessor time per operation, all components\n\n{comparison_table(measured.comparisons)}")
    say(f"\nMemory of the services when idle: {before:.0f} → {now:.0f} MiB (PSS).")
    if measured.failures:
        return _complain("FAILED: these answers were not right, so the figures do not count.", measured.failures)
    problems = [*more_calls(calls), *measured.dearer()]
    return _complain(f"DEARER than at {commit} by over {ALLOWED - 1:.0%}:", problems) if problems else 0


def _complain(head: str, lines: Sequence[str]) -> int:
    sys.stderr.write("\n".join(["", head, *lines, ""]))
    return 1


def _parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="python -m bench.check", description="Compare with a commit, in one run.")
    add = found.add_argument
    names = ", ".join(operation.name for operation in OPERATIONS)
    add("--against", metavar="COMMIT", help="by default the last release")
    add("--only", default=list(OPERATIONS), type=named, metavar="WORDS", help=f"words, with commas, out of: {names}")
    add("--rounds", type=int, default=3, help="operations over the bound get twice as many more (default %(default)s)")
    add("--seconds", type=int, default=2, help="length of each measurement (default %(default)s)")
    add("--people", type=int, default=1_000, help="size of the population (default %(default)s)")
    return found


if __name__ == "__main__":
    sys.exit(main())
