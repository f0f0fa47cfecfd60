from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Final, NamedTuple

_INDENT: Final = " " * 15


class Finding(NamedTuple):
    """`level` is ok, warning (it works) or wrong; `why` is the consequence of leaving it."""

    name: str
    level: str
    text: str
    fix: str = ""
    why: str = ""


async def side_by_side(*checks: AsyncIterator[Finding]) -> AsyncIterator[Finding]:
    """Runs all checks at the same time; yields their findings in the order of the checks."""
    running = [asyncio.create_task(_collect(check)) for check in checks]
    try:
        for task in running:
            for finding in await task:
                yield finding
    finally:
        for task in running:
            task.cancel()


async def _collect(check: AsyncIterator[Finding]) -> list[Finding]:
    return [finding async for finding in check]


def as_lines(finding: Finding) -> str:
    mark = "" if finding.level == "ok" else f"{finding.level}: "
    line = f"  {finding.name:<12} {mark}{finding.text}"
    more = (f"Why: {finding.why}" if finding.why else "", f"Fix: {finding.fix}" if finding.fix else "")
    return "\n".join((line, *(f"{_INDENT}{one}" for one in more if one)))


async def print_findings(findings: AsyncIterator[Finding], *, as_json: bool) -> int:
    """Prints each finding as soon as it is there. Returns the status of the process: 0, 1 where something is wrong."""
    status = 0
    async for finding in findings:
        print(json.dumps(finding._asdict()) if as_json else as_lines(finding), flush=True)
        status = 1 if finding.level == "wrong" else status
    return status
