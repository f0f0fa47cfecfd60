"""Stored data matches docs/generated/stored-data.md, including its lifetimes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from generated_pages.stored_data import KEYS, REDIS, USERS
from playwright.async_api import Page, expect
from portico_harness.redis_files import log_of_commands
from portico_runtime.mongo.client import database_name
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages
from portico_scenarios.participants import ALICE
from portico_scenarios.world import World
from portico_stack.assembly.layout import Profile
from pymongo import AsyncMongoClient

pytestmark = pytest.mark.e2e


def _commands(log: bytes) -> Iterator[list[bytes]]:
    position = 0
    while position < len(log):
        end = log.index(b"\r\n", position)
        count, position = int(log[position + 1 : end]), end + 2
        command = []
        for _ in range(count):
            end = log.index(b"\r\n", position)
            size = int(log[position + 1 : end])
            command.append(log[end + 2 : end + 2 + size])
            position = end + 2 + size + 2
        yield command


def _log_of(world: World) -> Path:
    if world.stack.options.profile is Profile.HA:
        pytest.skip("a cluster has a log for each node")
    return log_of_commands(world.stack.options.data / "redis")


def _readable_from(log: Path) -> int:
    """Returns the offset of the commands, which follow the snapshot if Redis has compacted the file."""
    with log.open("rb") as file:
        return 0 if file.read(1) == b"*" else log.stat().st_size


def _deadlines(log: bytes) -> dict[str, float]:
    """Returns the latest expiry by key, in unix seconds; 0 for none. Redis logs expiry times instead of lifetimes."""
    found: dict[str, float] = {}
    for name, *arguments in _commands(log):
        if name.upper() in (b"SELECT", b"MULTI", b"EXEC"):
            continue
        words = [argument.upper() for argument in arguments]
        deadline = 0.0
        if name.upper() == b"PEXPIREAT":
            deadline = int(arguments[1]) / 1000
        elif b"PXAT" in words:
            deadline = int(arguments[words.index(b"PXAT") + 1]) / 1000
        key = arguments[0].decode()
        found[key] = max(deadline, found.get(key, 0.0))
    return found


def _row_of(key: str) -> str:
    owner, _, kind, *_ = key.split(":")
    return f"{owner} {kind}"


async def test_redis_keys_expire_as_documented(world: World, tab: Page) -> None:
    """Each key is of a documented kind and expires no later than documented."""
    log = await asyncio.to_thread(_log_of, world)
    start = await asyncio.to_thread(_readable_from, log)
    relying_party = RelyingPartyPages(tab, world.rp_url("post"))
    await relying_party.begin()
    await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
    await relying_party.expect_signed_in()
    await tab.goto(f"{world.issuer}/ui/account")
    await expect(tab.locator("main")).to_be_visible()
    now = time.time()
    deadlines = _deadlines((await asyncio.to_thread(log.read_bytes))[start:])
    kinds = {_row_of(key) for key in deadlines}

    assert {"authz session", "token grant", "console account", "facts versions"} <= kinds
    assert kinds - set(REDIS) == set()
    for key, deadline in deadlines.items():
        stated = REDIS[_row_of(key)]
        if stated.seconds:
            assert 0 < deadline <= now + stated.seconds + 60, (key, deadline - now, stated)


async def test_all_collections_are_documented(world: World) -> None:
    for service, stated in (("users", USERS), ("keys", KEYS)):
        password = world.stack.installation.mongo_passwords[service]
        async with AsyncMongoClient[dict[str, object]](
            world.stack.layout.mongo.url, username=service, password=password, authSource=database_name(service)
        ) as client:
            names = await client[database_name(service)].list_collection_names()

        assert set(names) - set(stated) == set()
        assert names
