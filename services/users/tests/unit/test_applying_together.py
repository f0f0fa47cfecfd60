from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

from portico_contracts.apply import Document
from portico_contracts.users import Apply, Change
from portico_users.documents.applier import AT_ONCE, Applier
from portico_users.documents.step import CREATED, UPDATED, Step
from portico_users.storage.entry import Entry
from portico_users.values.problems import NAME_TAKEN


class Planner:
    def __init__(self, steps: list[Step]) -> None:
        self._steps = steps

    async def plan(self, _message: Apply) -> list[Step]:
        return self._steps


class Commit:
    """Notes the order of commits, and how many ran at once."""

    def __init__(self, refused: str = "") -> None:
        self.order: list[str] = []
        self.most = 0
        self._running = 0
        self._refused = refused

    @asynccontextmanager
    async def outlasted(self) -> AsyncIterator[None]:
        yield

    async def all(self, entries: Sequence[Entry[Any]]) -> None:
        (entry,) = cast("Sequence[str]", entries)
        self._running += 1
        self.most = max(self.most, self._running)
        await asyncio.sleep(0)
        self._running -= 1
        if entry == self._refused:
            raise NAME_TAKEN.error()
        self.order.append(entry)


def step(name: str, *, action: str = CREATED, kind: str = "human", password: str = "") -> Step:
    entries = cast("tuple[Entry[Any], ...]", (name,))
    return Step(name, Change(action=action, kind=kind, id=name, name=name), entries, password)


def applier(steps: list[Step], commit: Commit) -> Applier:
    return Applier(
        cast("Any", Planner(steps)), *cast("tuple[Any, Any, Any]", (None,) * 3), cast("Any", commit), cast("Any", None)
    )


MESSAGE = Apply(document=Document())


async def test_new_users_are_committed_together() -> None:
    """Consecutive new users share transactions, at most 64 of them."""
    commit = Commit()
    steps = [step(f"p{number:03}") for number in range(AT_ONCE + 6)]

    applied = await applier(steps, commit).apply(MESSAGE)

    assert commit.most == AT_ONCE
    assert [change.id for change in applied.changes] == [one.path for one in steps]


async def test_other_steps_keep_their_order() -> None:
    """A change of a user, a new object of another kind and a membership begin only after all earlier steps."""
    commit = Commit()
    others = (step("changed", action=UPDATED), step("project", kind="project"), step("member", kind="member"))
    steps = [step("p1"), others[0], step("p2"), others[1], others[2], step("p3")]

    await applier(steps, commit).apply(MESSAGE)

    assert commit.most == 1
    assert commit.order == [one.path for one in steps]


async def test_refused_user_leaves_out_no_other_of_its_batch() -> None:
    """The response has the error and the users that were written with the refused one; later steps are not begun."""
    commit = Commit(refused="p2")
    steps = [step("p1"), step("p2"), step("p3"), step("project", kind="project")]

    applied = await applier(steps, commit).apply(MESSAGE)

    assert [change.id for change in applied.changes] == ["p1", "p3"]
    assert applied.failure is not None
    assert (applied.failure.id, "p2" in applied.failure.text) == (NAME_TAKEN.id, True)
    assert commit.order == ["p1", "p3"]
