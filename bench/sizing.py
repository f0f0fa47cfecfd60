"""How many cores a busy hour needs, by component: ``python -m bench.sizing --sign-ins 20000 --introspections 2000000``.

From the table of docs/performance.md, which ``make bench RECORD=1`` writes: a replica is one process and uses one core at most.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parents[1] / "docs" / "performance.md"
COMPONENTS: Final = ("gateway", "authz", "token", "keys", "users", "login-ui", "redis", "mongo", "nats")
SERVICES: Final = ("authz", "token", "keys", "users", "login-ui")

OPERATIONS: Final[Mapping[str, str]] = {
    "sign_ins": "sign-in",
    "code_flows": "code flow",
    "refreshes": "refresh",
    "introspections": "introspect opaque",
    "userinfos": "userinfo",
    "client_credentials": "client_credentials RS256",
    "new_users": "create user",
}
"""The options of the command, and the row of each: where there are several, that of many people."""

FULL: Final = 0.6
"""How much of a core is used in the busy hour: minutes have peaks, and a replica may be down."""

LEAST: Final = 2
"""Replicas of a service, so that one may die."""

_HOUR: Final = 3_600
_MICRO: Final = 1_000_000


def costs(page: str) -> dict[str, dict[str, float]]:
    """Processor time in microseconds by operation and component; of several rows the first."""
    rows = [_cells(line) for line in page.splitlines() if line.startswith("| ")]
    first = next(number for number, row in enumerate(rows) if row[0] == "operation")
    columns = {name: rows[first].index(name) for name in COMPONENTS}
    found: dict[str, dict[str, float]] = {}
    for row in rows[first + 2 :]:
        if len(row) != len(rows[first]):  # another table begins
            break
        found.setdefault(row[0], {name: float(row[at].replace(",", "")) for name, at in columns.items()})
    return found


def cores(of: Mapping[str, Mapping[str, float]], per_hour: Mapping[str, float]) -> dict[str, float]:
    """Cores each component uses, when every core is used to `FULL`.

    Args:
        of: as `costs` returns it.
        per_hour: how often each operation happens in the busy hour.
    """
    return {
        name: sum(of[one][name] * count for one, count in per_hour.items()) / _MICRO / _HOUR / FULL
        for name in COMPONENTS
    }


def replicas(needed: Mapping[str, float]) -> dict[str, int]:
    """Replicas of each service."""
    return {name: max(LEAST, math.ceil(needed[name])) for name in SERVICES}


def report(needed: Mapping[str, float]) -> str:
    """A line for each component."""
    counts = replicas(needed)
    lines = [
        f"{name:<10} {needed[name]:6.2f} cores" + (f"  {counts[name]} replicas" if name in counts else "")
        for name in COMPONENTS
    ]
    return "\n".join([*lines, f"{'together':<10} {sum(needed.values()):6.2f} cores"])


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def main(arguments: list[str]) -> int:
    """Prints what the numbers of a busy hour need."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.sizing", description="How often each happens in the busy hour."
    )
    for name in OPERATIONS:
        parser.add_argument(f"--{name.replace('_', '-')}", type=float, default=0.0)
    chosen = vars(parser.parse_args(arguments))
    per_hour = {row: chosen[name] for name, row in OPERATIONS.items()}
    sys.stdout.write(report(cores(costs(PAGE.read_text()), per_hour)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
