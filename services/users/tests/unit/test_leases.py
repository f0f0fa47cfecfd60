"""Calls wait for the leases of other services once, and also if they fail after a part of their changes."""

from __future__ import annotations

import asyncio

import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_versions import MemoryVersions
from portico_oauth.errors import ServiceError
from portico_runtime.versioned_cache.lease import LEASE_SECONDS
from portico_runtime.versioned_cache.versions import RedisVersions
from portico_users.journal.leases import Leases
from portico_users.values.problems import UNFINISHED


@pytest.fixture
def leases() -> Leases:
    return Leases(MemoryVersions(FrozenClock()))


def waited(leases: Leases) -> int:
    assert isinstance(leases.versions, MemoryVersions)
    return leases.versions.outlasted


async def test_outermost_block_waits_once(leases: Leases) -> None:
    async def change() -> None:
        async with leases.outlasted():
            leases.note()
        assert waited(leases) == 0

    async with leases.outlasted():
        await asyncio.gather(change(), change())

    assert waited(leases) == 1


async def test_block_without_such_a_change_does_not_wait(leases: Leases) -> None:
    async with leases.outlasted():
        pass

    assert waited(leases) == 0


async def test_error_after_a_change_waits_too(leases: Leases) -> None:
    async def change() -> None:
        async with leases.outlasted():
            leases.note()
            raise UNFINISHED.error(retry_after=1)

    with pytest.raises(ServiceError):
        await change()

    assert waited(leases) == 1


async def test_change_outside_of_a_block_is_an_error(leases: Leases) -> None:
    with pytest.raises(AssertionError):
        leases.note()


async def test_wait_is_longer_than_a_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    await RedisVersions.outlast_leases(object.__new__(RedisVersions))

    assert len(slept) == 1
    assert slept[0] > LEASE_SECONDS
