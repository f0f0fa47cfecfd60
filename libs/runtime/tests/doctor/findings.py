from __future__ import annotations

from collections.abc import AsyncIterator

from portico_runtime.doctor.finding import Finding, as_lines


async def gathered(findings: AsyncIterator[Finding]) -> list[Finding]:
    """Collects all findings; each warning and error must have a fix."""
    found = [finding async for finding in findings]
    assert all(finding.fix for finding in found if finding.level != "ok")
    return found


def of_level(found: list[Finding], level: str) -> str:
    """Returns the texts of a level, one per line."""
    return "\n".join(finding.text for finding in found if finding.level == level)


def printed(found: list[Finding]) -> str:
    return "\n".join(as_lines(finding) for finding in found)
