from __future__ import annotations

import argparse
import asyncio
import importlib
import logging
from collections.abc import AsyncIterator, Callable, Sequence

import structlog

from portico_runtime.doctor.dependencies import check_dependencies
from portico_runtime.doctor.finding import Finding, print_findings, side_by_side
from portico_runtime.settings.section import Section

OwnChecks = Callable[[Section, argparse.Namespace], AsyncIterator[Finding]]


def main(name: str, settings: Section, more: str, arguments: Sequence[str]) -> int:
    """Prints all checks and returns the exit status; `more` is the module with those of the service."""
    parser = argparse.ArgumentParser(
        f"{name} doctor", description="Check the dependencies of this service from where it runs."
    )
    parser.add_argument("--json", action="store_true", help="print each finding as a line of JSON")
    parser.add_argument("--email-to", default="", metavar="ADDRESS", help="send a test email to this address (users)")
    parser.add_argument(
        "--records",
        action="store_true",
        help="check only stored records, as before an upgrade: schema version, secrets, migrations, indexes (users, keys)",
    )
    options = parser.parse_args(arguments)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    logging.disable(logging.CRITICAL)
    own: OwnChecks | None = importlib.import_module(more).own_checks if more else None
    return asyncio.run(print_findings(_findings(name, settings, own, options), as_json=options.json))


async def _findings(
    name: str, settings: Section, own: OwnChecks | None, options: argparse.Namespace
) -> AsyncIterator[Finding]:
    checks = [
        *(() if options.records else (check_dependencies(settings, name),)),
        *((own(settings, options),) if own else ()),
    ]
    async for finding in side_by_side(*checks):
        yield finding
