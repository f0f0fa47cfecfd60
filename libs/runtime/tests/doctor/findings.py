"""What a check found, gathered."""

from __future__ import annotations

from collections.abc import AsyncIterator

from portico_runtime.doctor.finding import Finding, as_lines


async def gathered(findings: AsyncIterator[Finding]) -> list[Finding]:
    """All of them; each that something is to be done about has what to do."""
    found = [finding async for finding in findings]
    assert all(finding.fix for finding in found if finding.level != "ok")
    return found


def of_level(found: list[Finding], level: str) -> str:
    """The texts of a level, one a line."""
    return "\n".join(finding.text for finding in found if finding.level == level)


def printed(found: list[Finding]) -> str:
    """All of them as they are printed."""
    return "\n".join(as_lines(finding) for finding in found)
