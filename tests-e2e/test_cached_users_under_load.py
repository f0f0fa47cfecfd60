"""Processes are killed while users are changed: no replica uses cached data from before an acknowledged change.

Run with ``-s`` to see the figures (decision 0039).
"""

from __future__ import annotations

import asyncio
import functools
import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from portico_harness.eventually import eventually
from portico_scenarios.cached_user_stage import KnownUser, Stage, set_stage, version_of
from portico_scenarios.everywhere import Everywhere
from portico_scenarios.world import World, started
from portico_stack.assembly.layout import StackOptions
from portico_stack.assembly.replicas import Replicas

pytestmark = [pytest.mark.e2e, pytest.mark.long]

USER = "user.v2.UserService"
NAMES = tuple(f"person{number}" for number in range(8))
KILLS = ("mongo", "users-1", "token-1", "redis", "users-2", "authz-1")
SERVERS = ("redis", "mongo")
"""Needed by all replicas, which answer 503 until it is back."""

CHANGES_BETWEEN = 12
"""Acknowledged changes between two kills."""

NO_ANSWER = ("RemoteProtocolError", "ReadError")
"""A gateway may close a persistent connection when the replica died before its response (RFC 9112, section 9.3.1)."""


@pytest.fixture(scope="module")
async def shaken(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    async with started(StackOptions(tmp_path_factory.mktemp("facts"), port=0, replicas=Replicas(2))) as two:
        yield two


@pytest.fixture(scope="module")
async def everywhere(shaken: World) -> AsyncIterator[Everywhere]:
    async with Everywhere(shaken) as replicas:
        yield replicas


@pytest.fixture
async def stage(shaken: World) -> Stage:
    return await set_stage(shaken, *NAMES)


@dataclass
class Change:
    """The consecutive changes of one user: the family name is the number of the last one.

    Attributes:
        begun: the number of the last requested change.
        answered: the number of the last acknowledged change.
        outcomes: number of each response (a concurrent change is a failed precondition) or connection error.
    """

    person: KnownUser
    begun: int = 0
    answered: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)

    async def make(self) -> None:
        """Requests the next change and ignores errors; every third time a factor is added or removed concurrently."""
        self.begun += 1
        number = self.begun
        sent = [self._send("UpdateHumanUser", profile={"firstName": "Drilled", "lastName": str(number)})]
        if number % 3 == 0:
            sent.append(self._send("AddOTPEmail" if number % 2 else "RemoveOTPEmail"))
        outcome, *_ = await asyncio.gather(*sent)
        self.outcomes[outcome] += 1
        if outcome == "200":
            self.answered = number

    async def _send(self, method: str, **members: Any) -> str:
        try:
            answer = await self.person.stage.send(f"{USER}.{method}", userId=self.person.id, **members)
        except httpx.TransportError as error:
            return type(error).__name__
        return f"400 {answer.json()['code']}" if answer.status_code == 400 else str(answer.status_code)


def _number(members: dict[str, Any]) -> int | None:
    """Returns the number of the change in a response; None without one."""
    if members.get("status") == 503:
        return None
    assert "family_name" in members, members
    name = members["family_name"]
    return int(name) if name.isdigit() else 0


class Drill:
    def __init__(self, everywhere: Everywhere, changes: list[Change]) -> None:
        self._everywhere = everywhere
        self._changes = changes
        self._stop = asyncio.Event()
        self.stale: list[str] = []
        self.asked = 0

    async def answered(self) -> int:
        return sum(change.outcomes["200"] for change in self._changes)

    async def run(self, kill: Callable[[], Awaitable[None]]) -> None:
        """Changes and queries while something is killed; returns once it is back and nothing is in progress."""
        self._stop.clear()
        tasks = [asyncio.create_task(self._change(change)) for change in self._changes]
        tasks += [asyncio.create_task(self._ask()) for _ in range(4)]
        wanted = await self.answered() + CHANGES_BETWEEN
        await eventually(self.answered, wanted.__le__)
        await kill()
        self._stop.set()
        await asyncio.gather(*tasks)

    async def _change(self, change: Change) -> None:
        while not self._stop.is_set():
            await change.make()

    async def _ask(self) -> None:
        while not self._stop.is_set():
            change = random.choice(self._changes)  # noqa: S311 - any one will do
            least = change.answered
            try:
                answers = await self._everywhere.userinfo(change.person)
            except httpx.TransportError:  # the replica is the one that was killed
                await asyncio.sleep(0)
                continue
            numbers = [number for number in map(_number, answers) if number is not None]
            self.asked += len(numbers)
            if any(not least <= number <= change.begun for number in numbers):
                self.stale.append(f"{change.person.id}: {numbers}, not {least} to {change.begun}")


async def _stored(person: KnownUser) -> tuple[int, bool]:
    """Returns the stored state: the number of the last change, and whether a factor exists."""

    async def read() -> tuple[int, bool]:
        found = await person.stage.call(f"{USER}.GetUserByID", userId=person.id)
        name = found["user"]["human"]["profile"]["lastName"]
        methods = await person.stage.call(f"{USER}.ListAuthenticationMethodTypes", userId=person.id)
        has_factor = any("EMAIL" in method for method in methods.get("authMethodTypes", ()))
        return int(name) if name.isdigit() else 0, has_factor

    return await eventually(read, lambda _: True)


async def _is_right(everywhere: Everywhere, change: Change) -> tuple[bool, str]:
    """Reports whether every replica has the stored state, read before and after because a transaction may end in
    between.
    """
    before = await _stored(change.person)
    told = [_number(one) for one in await everywhere.userinfo(change.person)]
    decided = await everywhere.authorize(change.person)
    after = await _stored(change.person)
    decisions = {"interaction_required" if has_factor else "code" for _, has_factor in (before, after)}
    in_order = all(number is not None and before[0] <= number <= after[0] for number in told)
    right = in_order and set(decided) <= decisions and change.answered <= after[0] <= change.begun
    return right, f"{change.person.id}: stored {before} and {after}, told {told}, decided {decided}, {change}"


async def _count_watermarks(shaken: World, people: list[KnownUser]) -> int:
    """Counts users whose change was interrupted between its two writes to Redis."""
    return sum([(await version_of(shaken, person) or "").startswith("~") for person in people])


async def _kill(shaken: World, part: str) -> None:
    """Kills a part; returns at once where a replica takes over, else once it is back."""
    shaken.stack.kill(part)
    if not part.startswith("users"):
        await shaken.stack.wait_until_ready(part)


async def _answers(everywhere: Everywhere, person: KnownUser) -> bool:
    told = [one.get("status") for one in await everywhere.userinfo(person)]
    return 503 not in told and "503" not in await everywhere.authorize(person)


async def test_no_stale_cache_whatever_is_killed(shaken: World, everywhere: Everywhere, stage: Stage) -> None:
    """Processes are killed at each step of many changes, and replicas always use the stored state (FD-11, FD-22)."""
    changes = [Change(person) for person in await asyncio.gather(*map(stage.sign_in, NAMES))]
    people = [change.person for change in changes]
    drill = Drill(everywhere, changes)
    marks, wrong = 0, []
    for part in KILLS:
        await drill.run(functools.partial(_kill, shaken, part))
        marks += await _count_watermarks(shaken, people)
        if part in SERVERS:
            await eventually(functools.partial(_answers, everywhere, people[0]), bool)
        found = await asyncio.gather(*(_is_right(everywhere, change) for change in changes))
        wrong += [f"after {part}: {text}" for right, text in found if not right]
        await shaken.stack.wait_until_ready(part)
    outcomes = sum((change.outcomes for change in changes), Counter[str]())
    print(f"{outcomes} changes, {drill.asked} answers meanwhile, {marks} broken off after the mark")  # noqa: T201 - figures

    assert drill.stale == []
    assert wrong == []
    assert outcomes["200"] >= CHANGES_BETWEEN * len(KILLS)
    assert set(outcomes) <= {"200", "400 failed_precondition", "503", *NO_ANSWER}
