"""Many concurrent sign-ins on one busy core: all of them succeed."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path
from typing import Final

import pytest
from argon2 import PasswordHasher
from portico_contracts.catalogue import SERVICES
from portico_scenarios.administrator import PASSWORD, Administrator
from portico_scenarios.agent import Agent, Page
from portico_scenarios.participants import KnownUser
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World, code_in

pytestmark = [pytest.mark.e2e, pytest.mark.long]

ADD = "portico.user.v2.UserService.AddHumanUser"
PEOPLE: Final = 16
FULL_COST: Final = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
"""The costs of an installation; the stack of the tests hashes more cheaply."""
_BUSY: Final = "while True: pass"


def _pin(pids: Iterable[int], cores: set[int]) -> None:
    for pid in pids:
        for thread in Path(f"/proc/{pid}/task").iterdir():
            os.sched_setaffinity(int(thread.name), cores)


@contextmanager
def _on_one_busy_core(world: World) -> Iterator[None]:
    """Pins the services to one core together with a busy process."""
    cores = os.sched_getaffinity(0)
    services = [process.pid for name in SERVICES for process in world.stack.processes(name) if process.pid]
    with ExitStack() as opened:
        opened.callback(_pin, services, cores)
        busy = opened.enter_context(subprocess.Popen((sys.executable, "-c", _BUSY)))
        opened.callback(busy.kill)
        _pin([busy.pid, *services], {min(cores)})
        yield


async def _at_the_password(agent: Agent, world: World, person: KnownUser) -> None:
    await agent.open(begin(world.metadata, world.clients["basic"]).url)
    await agent.press("loginname-submit", loginname=person.login_name)


async def test_16_concurrent_sign_ins_on_one_core_succeed(world: World, admin: Administrator) -> None:
    """The waiting queue holds callers for up to 10 s, so that no sign-in gets 503 (RX-08, decision 0042)."""
    async with AsyncExitStack() as opened:
        agents: list[Agent] = []
        for number in range(PEOPLE):
            human = admin.human(f"waiting{number}", hashedPassword={"hash": FULL_COST.hash(PASSWORD)})
            del human["password"]
            assert (await admin.json(ADD, human)).code == 0
            agents.append(await opened.enter_async_context(world.agent()))
            await _at_the_password(agents[-1], world, admin.person(f"waiting{number}"))
        with _on_one_busy_core(world):
            pages: list[Page] = await asyncio.gather(
                *(agent.press("password-submit", password=PASSWORD) for agent in agents)
            )

    assert [page.response.text for page in pages if page.status == 503] == []
    assert all(code_in(page) for page in pages)
