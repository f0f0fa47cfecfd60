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
from portico_stack.replicas import Replicas, ReplicasRefused

from bench.foreign_target import add_arguments
from bench.lines import complain, say
from bench.operations import OPERATIONS
from bench.populating import PopulatingFailed
from bench.preparing import PreparationFailed
from bench.processes import ProcessGone
from bench.ratios import FILE, NothingToCompare, Recorded, of_last_release, present_commit, record, slower_rows
from bench.report import Findings, as_json
from bench.session import measure, wanted_operations
from bench.table import markdown_table, put_into, text_table
from bench.wrk import LoadFailed

_RESULTS = Path(".portico/bench.json")
_POPULATION = Path(".portico/bench-population").absolute()
_ROOT = Path(__file__).parent.parent
_EXPECTED = (
    httpx.HTTPError, OSError, PreparationFailed, PopulatingFailed, LoadFailed, ProcessGone, StartFailed, ProgramMissing,
    ServiceError, NothingToCompare,
)  # fmt: skip


def main() -> int:
    """Measures, prints, writes.

    The status is 1 when any request failed, or when something costs more than is recorded and that was to be checked;
    2 when nothing could be measured or compared.
    """
    words = _parser().parse_args()
    if words.list:
        say("\n".join(operation.name for operation in OPERATIONS))
        return 0
    try:
        recorded = of_last_release(_ROOT) if words.check else None
        findings = asyncio.run(measure(words, recorded))
        slower = [str(row) for row in slower_rows(recorded, findings.ratios())] if recorded else []
    except _EXPECTED as problem:
        complain(f"bench: {problem}")
        return 2
    except KeyboardInterrupt:
        return 130
    _show(words, findings)
    failures = findings.failures()
    if failures:
        complain("\nFAILED: these answers were not right, so the figures do not count.")
        complain("\n".join(f"  {failure}" for failure in failures))
        return 1
    if words.record:
        commit = present_commit(_ROOT)
        record(_ROOT / FILE, findings.ratios(), commit)
        say(f"Recorded: {FILE}")
        if len(words.only or OPERATIONS) == len(OPERATIONS):
            text = f"Measured at {commit}.\n\n{markdown_table(findings)}"
            say(f"Written: {put_into(_ROOT / 'docs/performance.md', text)}")
    return _judge(recorded, slower) if recorded else 0


def _show(words: argparse.Namespace, findings: Findings) -> None:
    words.json.parent.mkdir(parents=True, exist_ok=True)
    words.json.write_bytes(as_json(findings))
    markdown = words.json.with_suffix(".md")
    markdown.write_text(markdown_table(findings), encoding="utf-8")
    say(f"\n{text_table(findings)}\n\nEverything of every round: {words.json}; the table in Markdown: {markdown}")


def _judge(recorded: Recorded, slower: list[str]) -> int:
    of = f"{recorded.source or 'the working tree'}, measured at {recorded.commit}"
    if slower:
        complain(f"\nSLOWER than recorded ({of}):")
        complain("\n".join(f"  {row}" for row in slower))
        return 1
    say(f"Nothing costs more than recorded ({of}).")
    return 0


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
    parser.add_argument("--direct", action="store_true", help="also ask the services themselves, past the gateway")
    parser.add_argument(
        "--people", type=_positive, default=10_000, help="how many people there are (default %(default)s)"
    )
    parser.add_argument(
        "--replicas", type=_replicas, default=Replicas(), metavar="token=2", help="processes of services"
    )
    parser.add_argument("--population", type=_absolute, default=_POPULATION, help="where they are stored")
    parser.add_argument("--fresh", action="store_true", help="prepare them anew")
    parser.add_argument(
        "--stored", type=_positive, default=0, metavar="N", help="measure again with N users and N grants stored"
    )
    parser.add_argument("--check", action="store_true", help="fail where it costs 10 %% more than recorded")
    parser.add_argument("--record", action="store_true", help=f"write the ratios to {FILE}")
    parser.add_argument("--no-limit", action="store_true", help="leave out the bare functions and the rates")
    parser.add_argument("--json", type=Path, default=_RESULTS, help="where all figures go (default %(default)s)")
    parser.add_argument("--data", type=_absolute, help="directory for the stack's data; a temporary one otherwise")
    add_arguments(parser)
    return parser


def _absolute(text: str) -> Path:
    return Path(text).absolute()  # servers read their files from a directory of their own


def _replicas(text: str) -> Replicas:
    try:
        return Replicas.read(text)
    except ReplicasRefused as refused:
        raise argparse.ArgumentTypeError(str(refused)) from None


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


if __name__ == "__main__":
    sys.exit(main())
