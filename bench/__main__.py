"""``python -m bench``: see ``--help``."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

import httpx
from portico_oauth.errors import ServiceError
from portico_stack.binaries import ProgramMissing
from portico_stack.processes import StartFailed

from bench.foreign_target import add_arguments
from bench.lines import complain, say
from bench.operations import OPERATIONS
from bench.preparing import PreparationFailed
from bench.processes import ProcessGone
from bench.report import as_json, table
from bench.session import measure, wanted_operations
from bench.wrk import LoadFailed

_RESULTS = Path(".portico/bench.json")
_EXPECTED = (httpx.HTTPError, PreparationFailed, LoadFailed, ProcessGone, StartFailed, ProgramMissing, ServiceError)


def main() -> int:
    """Measures, prints, writes. The status is 1 when any request failed, 2 when nothing could be measured."""
    words = _parser().parse_args()
    if words.list:
        say("\n".join(operation.name for operation in OPERATIONS))
        return 0
    try:
        findings = asyncio.run(measure(words))
    except _EXPECTED as problem:
        complain(f"bench: {problem}")
        return 2
    except KeyboardInterrupt:
        return 130
    words.json.parent.mkdir(parents=True, exist_ok=True)
    words.json.write_bytes(as_json(findings))
    say(f"\n{table(findings)}\n\nEverything of every round: {words.json}")
    failures = findings.failures()
    if failures:
        complain("\nFAILED: these answers were not right, so the figures do not count.")
        complain("\n".join(f"  {failure}" for failure in failures))
    return 1 if failures else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Measures Portico beside the machine's limits."
    )
    parser.add_argument("--list", action="store_true", help="name the operations and end")
    parser.add_argument(
        "--only",
        default="",
        type=wanted_operations,
        metavar="WORDS",
        help="operations whose names contain one of these, with commas",
    )
    parser.add_argument("--rounds", type=_positive, default=3, help="medians are over so many (default %(default)s)")
    parser.add_argument("--seconds", type=_positive, default=5, help="length of each measurement (default %(default)s)")
    parser.add_argument("--connections", type=_positive, default=32, help="at the same time (default %(default)s)")
    parser.add_argument("--no-limit", action="store_true", help="leave out the bare functions and the rates")
    parser.add_argument("--json", type=Path, default=_RESULTS, help="where all figures go (default %(default)s)")
    parser.add_argument("--data", type=Path, help="directory for the stack's data; a temporary one otherwise")
    add_arguments(parser)
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


if __name__ == "__main__":
    sys.exit(main())
