"""Copies, replaces or deletes the data files of a stack's Redis."""

from __future__ import annotations

import shutil
from pathlib import Path

from portico_contracts.users.redis_watermarks import RECALL_MARKS, RecallWatermarks
from portico_harness.eventually import eventually
from portico_harness.redis_files import remove_redis_files
from portico_runtime.bus.nats_bus import NatsBus
from portico_runtime.redis.nodes.history import BUCKETS
from redis.asyncio import Redis

from portico_scenarios.bus import speaking_as
from portico_scenarios.world import World


async def copy_redis_data(world: World, to: Path) -> None:
    await world.stack.stop_part("redis")
    for file in _files(world):
        shutil.copytree(file, to / file.name) if file.is_dir() else shutil.copy2(file, to)
    await world.stack.start_part("redis")


async def remembered(world: World) -> None:
    """Waits until users has stored Redis's watermarks, within a second of the last write (decision 0065)."""
    layout = world.stack.layout
    for service in ("authz", "token"):
        password = world.stack.installation.redis_passwords[service]
        async with (
            Redis.from_url(layout.redis.url, username=service, password=password, decode_responses=True) as redis,
            speaking_as(world.stack, service) as bus,
        ):
            names = [f"{service}:{{{bucket}}}:mark" for bucket in BUCKETS]

            async def are_remembered(
                redis: Redis = redis, bus: NatsBus = bus, service: str = service, names: list[str] = names
            ) -> bool:
                marks = dict(zip(BUCKETS, await redis.mget(names), strict=True))
                known = (await bus.call(RECALL_MARKS, RecallWatermarks(service=service))).marks
                return all(int(mark or 0) <= known.get(bucket, 0) for bucket, mark in marks.items())

            await eventually(are_remembered, bool)


async def replace_redis_data(world: World, *, by: Path | None) -> None:
    """Stops Redis, replaces or removes its data, and starts it."""
    await world.stack.stop_part("redis")
    remove_redis_files(world.stack.options.data / "redis")
    if by:
        shutil.copytree(by, world.stack.options.data / "redis", dirs_exist_ok=True)
    await world.stack.start_part("redis")


def _files(world: World) -> list[Path]:
    directory = world.stack.options.data / "redis"
    return [file for file in directory.iterdir() if file.name.startswith("append") or file.suffix in (".aof", ".rdb")]
