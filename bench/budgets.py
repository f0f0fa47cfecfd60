"""The figures to reach, as multiples of the limit of the same run: a machine twice as slow changes neither.

The limit of an operation is a bare ASGI function with the same parsing, Redis calls and signatures (`bench.limits`),
its stores counted as Portico's are: processor time per request, summed over every component that takes part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

TAIL: Final = 4
"""p99 stays below this many times p50."""

FLAT: Final = 1.2
"""What an operation over the whole population costs at most, in multiples of what it costs over a hundred people."""

FLAT_STORED: Final = 1.1
"""The same, with a million stored instead of a thousand."""

BUDGETED: Final = ("authz", "token", "keys", "users", "login-ui")
"""The services the budget was written for; console came later and is counted by itself."""

SERVICES_MIB: Final = 300
"""Idle memory of the five services together, proportional set size."""

GATEWAY_MIB: Final = 40


@dataclass(frozen=True, slots=True)
class Budget:
    """What one operation may cost.

    Args:
        limits: multiples of the limit, through the gateway, over the whole population.
    """

    limits: float


BUDGETS: Final[dict[str, Budget]] = {
    "discovery": Budget(3.3),
    "keys": Budget(2.4),
    "client_credentials RS256": Budget(1.3),
    "client_credentials ES256": Budget(1.9),
    "client_credentials opaque": Budget(3.4),
    "introspect opaque": Budget(3.1),
    "introspect JWT": Budget(1.7),
    "userinfo": Budget(3.8),
    "refresh": Budget(1.8),
    "code flow": Budget(3.1),
    "sign-in": Budget(1.3),
    "create user": Budget(2.0),
    "read user": Budget(2.0),
    "list users": Budget(2.0),
    "import users": Budget(12.8),  # a sixth of what it cost when it was first measured so
}


def verdict(name: str, ratio: float) -> str:
    """How a measured multiple of the limit compares with its budget.

    Args:
        name: an operation.
        ratio: CPU time through the gateway over that of the limit.
    """
    reach = BUDGETS[name].limits
    over = round(100 * (ratio - reach) / reach)
    return f"{over} % over" if over > 0 else "reached"
