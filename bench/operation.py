"""What an operation is: prepared on a target, and then driven by wrk or by itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from bench.members import Member
from bench.plans import PlanValue
from bench.preparing import Ground
from bench.wrk import Drive, Load

Plan = Mapping[str, PlanValue]


@dataclass(frozen=True, slots=True)
class Prepared:
    """What wrk runs.

    Args:
        url: any address of the service to ask; only where it is matters.
        script: a file in ``lua``.
        plan: what the script reads.
        members: whose values are in the plan, in this order, where a run changes them.
        attribute: which of theirs.
    """

    url: str
    script: str
    plan: Plan
    members: Sequence[Member] = ()
    attribute: str = ""


@dataclass(frozen=True, slots=True)
class Driven:
    """What drives itself, because it is not HTTP."""

    drive: Callable[[Drive], Awaitable[Load]]


@dataclass(frozen=True, slots=True)
class Operation:
    """One row of the table.

    Args:
        prepare: makes ready on a target, for so many people; raises NotServed when the target does not offer it.
        chained: several requests that follow from one another.
        renewed: prepared again for every run, because a run changes what it needs.
        peopled: measured over different numbers of people.
        crosses: needs several services, so that it cannot go past the gateway.
        at_most: connections. Operations that are under way when a run ends have cost time and are not counted,
            which falsifies the figures where an operation is slow.
        longer: takes so many times as long as the others.
    """

    name: str
    prepare: Callable[[Ground, int], Awaitable[Prepared | Driven]]
    chained: bool = False
    renewed: bool = False
    peopled: bool = False
    crosses: bool = False
    at_most: int = 1_000
    longer: int = 1
