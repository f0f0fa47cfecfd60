"""The last release and this one side by side behind one gateway and over the same stores, under load (`make
upgrade`).

Every service has two replicas, which are replaced one by one, from this release to the last one and back, in the
order of the upgrade guide; no response may be wrong. ``PORTICO_TEST_DRILL_SECONDS=60`` sets the time in each state; run with ``-s`` to see
the table.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from portico_contracts.migrations import MIGRATION_RPCS, ListMigrations, MigrateBatch
from portico_scenarios.administrator import Administrator, administrator_of
from portico_scenarios.bound_clients import BoundClients
from portico_scenarios.last_release import LastRelease, newest_release
from portico_scenarios.steady_load import Outcome, SteadyLoad
from portico_scenarios.world import World, started
from portico_stack.assembly.layout import StackOptions
from portico_stack.assembly.replicas import Replicas
from portico_stack.processes.programs import Process
from portico_stack.running.operator_bus import operator_bus

pytestmark = pytest.mark.e2e

SECONDS: Final = float(os.environ.get("PORTICO_TEST_DRILL_SECONDS", "10"))
"""Per state."""

PEOPLE: Final = 5

ADD: Final = "portico.user.v2.UserService.AddHumanUser"

ORDER: Final = ("users", "keys", "token", "authz", "login-ui")
"""The order of upgrading services (docs/guides/upgrade.md); reversed for a rollback."""


@dataclass(frozen=True, slots=True)
class State:
    """`of_last`: the services that run the last release."""

    name: str
    of_last: tuple[str, ...] = ()


STATES: Final = (
    State("this release"),
    State("back: login-ui and authz", ("authz", "login-ui")),
    State("the last release", ORDER),
    State("upgrade: all but users", ("keys", "token", "authz", "login-ui")),
    State("upgrade: authz, login-ui", ("authz", "login-ui")),
    State("this release in the end"),
)


@pytest.fixture(scope="module")
def last(tmp_path_factory: pytest.TempPathFactory) -> LastRelease:
    return LastRelease.check_out(newest_release(), tmp_path_factory.mktemp("last") / "release")


@pytest.fixture(scope="module")
async def pair(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    async with started(StackOptions(tmp_path_factory.mktemp("pair"), port=0, replicas=Replicas(2))) as world:
        yield world


async def replace_replica(world: World, last: LastRelease, name: str, *, with_last: bool) -> None:
    """Stops a replica and starts it with one of the two releases, while the other replica works."""
    processes = world.stack.processes(name)
    await world.stack.stop_part(name)
    if with_last:
        last.put_in(processes)
    else:
        last.take_out(processes)
    await world.stack.start_part(name)
    assert [runs_last(last, process) for process in processes] == [with_last]


def runs_last(last: LastRelease, process: Process) -> bool:
    return str(last.folder) in Path(f"/proc/{process.pid}/cmdline").read_bytes().decode()


async def enter(world: World, last: LastRelease, before: State, state: State) -> None:
    """Replaces the replicas of a service one by one, and begins with the next service when both are replaced."""
    for service in reversed(ORDER):
        if service in state.of_last and service not in before.of_last:
            for number in (1, 2):
                await replace_replica(world, last, f"{service}-{number}", with_last=True)
    for service in ORDER:
        if service in before.of_last and service not in state.of_last:
            for number in (1, 2):
                await replace_replica(world, last, f"{service}-{number}", with_last=False)


async def add_users(admin: Administrator) -> None:
    for number in range(PEOPLE):
        added = await admin.json(ADD, admin.human(f"of-last-{number}"))
        assert added.code == 0, added.body


async def migrate(world: World) -> dict[str, int]:
    """Runs every migration; returns the number of records each one rewrote."""
    shared = world.stack.layout.shared
    rewritten: dict[str, int] = {}
    async with operator_bus(shared.bus_url, shared.bus_passwords["operator"]) as bus:
        for rpcs in MIGRATION_RPCS.values():
            for one in (await bus.call(rpcs.list, ListMigrations(), seconds=30)).migrations:
                carried = await bus.call(rpcs.carry, MigrateBatch(name=one.name), seconds=30)
                rewritten[one.name] = carried.changed
            assert not any(one.left for one in (await bus.call(rpcs.list, ListMigrations(), seconds=30)).migrations)
    return rewritten


async def test_releases_side_by_side(last: LastRelease, pair: World) -> None:
    """In the documented order all responses are correct and no acknowledged write is lost."""
    outcome = Outcome()
    bound = BoundClients(pair, outcome)
    others: dict[Callable[[], Awaitable[None]], float] = {bound.use: 60}
    load = SteadyLoad(pair, sign_ins=60, introspections=300, writes=120, refreshes=60, others=others, outcome=outcome)
    await bound.prepare()
    await load.prepare()
    admin = await administrator_of(pair)
    rows: list[str] = []
    before = STATES[0]
    async with load:
        for state in STATES:
            began, asked = time.monotonic(), load.outcome.asked
            await enter(pair, last, before, state)
            entered = time.monotonic() - began
            if state.of_last == ORDER:
                await add_users(admin)
            await asyncio.sleep(SECONDS)  # allow fixed-wait: how long both releases run
            assert await load.works(), f"nothing works: {state.name}"
            rows.append(
                f"  {state.name:<26} replaced in {entered:4.1f} s, {load.outcome.asked - asked:>5} requests, "
                f"{load.outcome.failed_after(began)} failed"
            )
            before = state
    need_proof = await bound.refused_without_proof()
    rewritten = await migrate(pair)
    lost = await load.lost()
    for number in range(PEOPLE):
        await pair.tokens_of(admin.person(f"of-last-{number}"), "basic")
    rows += [
        f"  {dict(load.outcome.counts)}, {len(load.outcome.wrong)} wrong, {len(lost)} lost",
        f"  migrated: {rewritten}",
        f"  bound tokens {bound.bound[True]}, others {bound.bound[False]}, {need_proof} sessions that need a proof",
    ]
    rows += [f"    {how}" for _at, how in load.outcome.failed]
    print("\n".join([f"\n{last.version} and this release:", *rows]))  # noqa: T201 - read by who drills

    assert load.outcome.wrong == []
    assert lost == []
    assert load.outcome.failed == []
    assert need_proof == len(bound.sessions)
