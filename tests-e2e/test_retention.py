"""What a stack really stores is on docs/generated/stored-data.md, with the lifetime that is stated there."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from generated_pages.stored_data import KEYS, REDIS, USERS
from playwright.async_api import Page, expect
from portico_journeys.login_pages import LoginPages, RelyingPartyPages
from portico_journeys.participants import ALICE
from portico_journeys.world import World
from portico_runtime.mongo import database_name
from portico_stack.layout import Profile
from pymongo import AsyncMongoClient

pytestmark = pytest.mark.e2e


def _commands(log: bytes) -> Iterator[list[bytes]]:
    """The commands of an append-only file of Redis."""
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
    [log] = (world.stack.options.data / "redis").glob("*.aof")
    return log


def _readable_from(log: Path) -> int:
    """Where the commands begin: after what is stored now, if Redis has compacted it into a snapshot."""
    with log.open("rb") as file:
        return 0 if file.read(1) == b"*" else log.stat().st_size


def _deadlines(log: bytes) -> dict[str, float]:
    """By key, the latest time it was to be deleted at, in unix seconds; 0 for none. Redis logs deadlines, not lifetimes."""
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


async def test_redis_keys_expire_as_stated(world: World, tab: Page) -> None:
    """Each key is of a kind that the page names, and has a deadline no later than the page states."""
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


async def test_collections_are_those_stated(world: World) -> None:
    """No collection of MongoDB is missing on the page."""
    for service, stated in (("users", USERS), ("keys", KEYS)):
        password = world.stack.installation.mongo_passwords[service]
        async with AsyncMongoClient[dict[str, object]](
            world.stack.layout.mongo.url, username=service, password=password, authSource=database_name(service)
        ) as client:
            names = await client[database_name(service)].list_collection_names()

        assert set(names) - set(stated) == set()
        assert names
