"""The pool passwords are hashed in."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import AsyncExitStack

import pytest
from portico_oauth.errors import ServiceError
from portico_runtime.settings import HashingSection
from portico_users.credentials.passwords.hashing import HashingPool


@pytest.fixture
def one_core() -> Iterator[None]:
    """This thread, and what it starts, has one core."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    yield
    os.sched_setaffinity(0, cores)


@pytest.mark.usefixtures("one_core")
async def test_one_core_computes_one_hash_at_a_time() -> None:
    """Two would take turns and push each other out of the caches; who finds no place is refused (RX-08)."""
    settings = HashingSection(argon2_memory_kib=8, argon2_passes=1, hashing_workers=2, hashing_queue=0)
    pool = HashingPool(settings, secrets.token_bytes)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(pool.place())
        with pytest.raises(ServiceError) as refused:
            await stack.enter_async_context(pool.place())
    await pool.close()

    assert refused.value.id == "USER-034"
