"""The figures to reach, in microseconds of CPU time per request, summed over all service processes.

Measured on a two-core machine where an RS256-2048 signature takes about 250 µs and an ES256 one about 30 µs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

ARGON2_US: Final = 20_000
"""What a password hash (argon2id, 19 MiB, 2 passes) took where the budgets were set."""

TAIL: Final = 4
"""p99 stays below this many times p50."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What one operation may cost.

    Args:
        limit: a bare ASGI function with the same parsing, Redis calls and signature.
        land_at: where to land first.
        reach: where to come then.
        peer: the fastest certified peer; None where it has no such operation.
        besides_hash: the figures come on top of one password hash, which is measured in the same run.
    """

    limit: int
    land_at: int
    reach: int
    peer: int | None = None
    besides_hash: bool = False


BUDGETS: Final[dict[str, Budget]] = {
    "discovery": Budget(22, 60, 35, peer=70),
    "keys": Budget(22, 40, 30, peer=44),
    "client_credentials RS256": Budget(282, 360, 320, peer=408),
    "client_credentials ES256": Budget(61, 150, 100),
    "client_credentials opaque": Budget(38, 120, 80, peer=125),
    "introspect opaque": Budget(33, 95, 60, peer=99),
    "introspect JWT": Budget(57, 120, 85),
    "userinfo": Budget(29, 95, 60, peer=96),
    "refresh": Budget(301, 550, 420, peer=684),
    "code flow": Budget(403, 1_100, 750, peer=1_240),
    "sign-in": Budget(21_800, 6_000, 3_000, besides_hash=True),
    "create user": Budget(900, 2_500, 1_800),
    "read user": Budget(250, 900, 600),
}


def verdict(name: str, cpu_us: float, hash_us: float = ARGON2_US) -> str:
    """How a measured figure compares with its budget.

    Args:
        name: an operation.
        cpu_us: its measured cost.
        hash_us: what a password hash costs in the same run.
    """
    budget = BUDGETS[name]
    cost = max(cpu_us - hash_us, 0) if budget.besides_hash else cpu_us
    if cost <= budget.reach:
        return "reached"
    if cost <= budget.land_at:
        return f"landed, {_over(cost, budget.reach)} to go"
    return f"{_over(cost, budget.land_at)} over"


def _over(cost: float, figure: int) -> str:
    return f"{100 * (cost - figure) / figure:.0f} %"
