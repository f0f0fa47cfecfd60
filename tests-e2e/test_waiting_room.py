"""Many people press the button at once where the services have one core, and it is busy: all of them get in."""

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
from nacl.pwhash import argon2id
from portico_contracts.catalogue import SERVICES
from portico_journeys.administrator import PASSWORD, administrator_of
from portico_journeys.agent import Agent, Page
from portico_journeys.participants import Person
from portico_journeys.relying_party import begin
from portico_journeys.world import World, code_in, started
from portico_stack.layout import StackOptions

pytestmark = pytest.mark.e2e

ADD = "portico.user.v2.UserService.AddHumanUser"
PEOPLE: Final = 16
PASSES: Final = 2
MEMORY_KIB: Final = 128 * 1024
"""Several times the usual cost: on a busy core the last of 16 waits longer than 4 s, on an idle one some 2 s."""

_BUSY: Final = "while True: pass"


def _pin(pids: Iterable[int], core: int) -> None:
    for pid in pids:
        for thread in Path(f"/proc/{pid}/task").iterdir():
            os.sched_setaffinity(int(thread.name), {core})


@contextmanager
def _on_one_busy_core(world: World) -> Iterator[None]:
    """The services share one core with a process that never rests."""
    core = min(os.sched_getaffinity(0))
    services = [process.pid for name in SERVICES for process in world.stack.processes(name)]
    with ExitStack() as opened:
        busy = opened.enter_context(subprocess.Popen((sys.executable, "-c", _BUSY)))
        opened.callback(busy.kill)
        _pin([busy.pid, *(pid for pid in services if pid)], core)
        yield


async def _at_the_password(agent: Agent, world: World, person: Person) -> None:
    await agent.open(begin(world.metadata, world.clients["basic"]).url)
    await agent.press("loginname-submit", loginname=person.login_name)


async def test_sixteen_at_once_on_one_busy_core_all_get_in(tmp_path: Path) -> None:
    """The waiting room holds every caller that waits less than 10 s: no sign-in is answered 503 (RX-08, decision 0042)."""
    settings = {"PORTICO_ARGON2_PASSES": str(PASSES), "PORTICO_ARGON2_MEMORY_KIB": str(MEMORY_KIB)}
    stored = argon2id.str(PASSWORD.encode(), opslimit=PASSES, memlimit=MEMORY_KIB * 1024).decode()
    async with (
        started(
            StackOptions(tmp_path, port=0, extra_env={"users": settings | {"PORTICO_HASHING_WORKERS": "1"}})
        ) as world,
        AsyncExitStack() as opened,
    ):
        admin = await administrator_of(world)
        agents: list[Agent] = []
        people = [admin.person(f"waiting{number}") for number in range(PEOPLE)]
        for number, person in enumerate(people):
            body = admin.human(f"waiting{number}", hashedPassword={"hash": stored})
            del body["password"]
            assert (await admin.json(ADD, body)).code == 0
            agents.append(await opened.enter_async_context(world.agent()))
            await _at_the_password(agents[-1], world, person)
        with _on_one_busy_core(world):
            pages: list[Page] = await asyncio.gather(
                *(agent.press("password-submit", password=PASSWORD) for agent in agents)
            )

    assert [page.status for page in pages if page.status == 503] == []
    assert all(code_in(page) for page in pages)
