from __future__ import annotations

from typing import Final, Protocol

import structlog
from portico_runtime.process.clock import Clock
from prometheus_client.metrics import Counter

from portico_users.credentials.passwords.breached.digest import Digest, digest_of
from portico_users.credentials.passwords.breached.range_file import UnusableList

log = structlog.get_logger("portico.passwords")

CHECKS = Counter("portico_breached_password_checks_total", "Checks for breached passwords by outcome.", ["outcome"])

PAUSE_SECONDS: Final = 30.0
"""How long an unusable list is not asked again, so that users do not wait for an unavailable service."""


class RangeList(Protocol):
    async def count(self, digest: Digest) -> int:
        """Returns how often the password was found; 0 if it is not listed. Raises `UnusableList`."""
        ...


class BreachedPasswords:
    """Finds passwords in the installation's list; None for an installation without one."""

    def __init__(self, ranges: RangeList | None, clock: Clock) -> None:
        self._ranges = ranges
        self._clock = clock
        self._paused_until = 0.0

    async def contains(self, password: str) -> bool:
        """Returns False while the list is unusable: an outage must not stop users."""
        if self._ranges is None:
            outcome = "no_list"
        elif self._clock.now() < self._paused_until:
            outcome = "unavailable"
        else:
            outcome = await self._look_up(self._ranges, password)
        CHECKS.labels(outcome).inc()
        return outcome == "breached"

    async def _look_up(self, ranges: RangeList, password: str) -> str:
        try:
            return "breached" if await ranges.count(digest_of(password)) else "not_listed"
        except UnusableList as error:
            self._paused_until = self._clock.now() + PAUSE_SECONDS
            log.warning("breached passwords cannot be checked", cause=str(error), seconds=PAUSE_SECONDS)
            return "unavailable"
