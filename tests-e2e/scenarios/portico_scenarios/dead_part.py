"""``PORTICO_TEST_WITHOUT=mongo-1``: every stack with replicated servers runs without that one."""

from __future__ import annotations

import asyncio
import os
from typing import Final

from portico_contracts.apply import Document
from portico_harness.eventually import eventually
from portico_oauth.errors import ServiceError
from portico_stack.assembly.layout import Profile
from portico_stack.assembly.stack import Stack
from redis.asyncio import RedisCluster
from redis.exceptions import RedisClusterException, RedisError

WITHOUT: Final = os.environ.get("PORTICO_TEST_WITHOUT", "")
"""A server by its name; empty for none. Most stacks have one replica of each service, which they need."""

_SECONDS: Final = 60.0
_KEYS: Final = 48
"""Number of keys, in as many slots, so that each master has some."""


async def end_for_good(stack: Stack, name: str, document: Document) -> None:
    """Kills a part permanently; returns once the others have taken over.

    Args:
        document: applied as the check.

    Raises:
        AssertionError: they never do.
    """
    if stack.options.profile is not Profile.HA:
        return
    await asyncio.gather(*(process.stop(0) for process in stack.processes(name)))
    assert await eventually(lambda: _writes_everywhere(stack), bool), f"Redis takes no writes without {name}"
    assert await eventually(lambda: _applies(stack, document), bool), f"users changes nothing without {name}"
    for service in ("keys", "users", "authz", "token"):
        await stack.wait_until_ready(service, _SECONDS)


async def _applies(stack: Stack, document: Document) -> bool:
    try:
        await stack.apply(document)
    except ServiceError:
        return False
    return True


async def _writes_everywhere(stack: Stack) -> bool:
    installation = stack.installation
    nodes = [int(url.rpartition(":")[2]) for url in stack.layout.shared.redis_url.partition("//")[2].split(",")]
    for port in nodes:
        try:
            async with RedisCluster(
                host="127.0.0.1", port=port, username="token", password=installation.redis_passwords["token"]
            ) as client:
                for number in range(_KEYS):
                    await client.set(f"token:without:{number}", "1", ex=1)
        except (RedisError, RedisClusterException, OSError):  # the second is no error of the first kind
            continue
        return True
    return False
