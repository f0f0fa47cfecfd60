from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from portico_contracts.topology import TOPOLOGY
from redis.asyncio import Redis
from redis.exceptions import AuthenticationError, NoPermissionError, RedisError, ResponseError

from portico_runtime.doctor.server_lines import REDIS, VALKEY

_NEEDED: Final = (("INFO", "memory"), ("ROLE",), ("TIME",), ("WAIT", "0", "0"), ("SCRIPT", "LOAD", "return 1"))
"""Commands without keys that every service needs; all are read-only."""

_FORBIDDEN: Final = (("CONFIG", "GET", "maxmemory"), ("ACL", "LIST"), ("CLIENT", "LIST"), ("DBSIZE",), ("KEYS", "-"))
"""Commands that no service may run; harmless where they are allowed."""


@dataclass(frozen=True, slots=True)
class NodeState:
    """The state of one node; memory in bytes, 0 for no limit; empty `fsync` (no permission) is recommended."""

    label: str
    user: str
    server: str
    version: tuple[int, ...]
    role: str
    used: int
    maximum: int
    policy: str
    persistence: dict[str, str] | None
    fsync: str
    replicas: int
    allowed: tuple[str, ...]
    refused: tuple[str, ...]
    open_to_all: bool


async def inspect_node(label: str, client: Redis, user: str) -> NodeState:
    async with client:
        hello = _pairs(await _run(client, "HELLO"))
        memory = _figures(await _run(client, "INFO", "memory") or "")
        persistence = await _run(client, "INFO", "persistence")
        # Valkey greets with the version of the Redis that it is compatible with.
        valkey = _figures(await _run(client, "INFO", "server") or "").get("valkey_version")
        role = await _run(client, "ROLE") or [hello.get("role", ""), 0, []]
        fsync = await _run(client, "CONFIG", "GET", "appendfsync")
        return NodeState(
            label=label,
            user=user,
            server=VALKEY if valkey else REDIS,
            version=tuple(int(part) for part in str(valkey or hello.get("version", "0")).split(".")[:3]),
            role=str(role[0]),
            used=int(memory.get("used_memory", 0)),
            maximum=int(memory.get("maxmemory", 0)),
            policy=memory.get("maxmemory_policy", "unknown"),
            persistence=None if persistence is None else _figures(persistence),
            fsync=str(_pairs(fsync).get("appendfsync", "")),
            replicas=len(role[2]) if role[0] == "master" else 0,
            allowed=(*await _allowed_of(client, _FORBIDDEN), *await _foreign_keys(client, user)),
            refused=await _refused_of(client, user),
            open_to_all=await _is_open(client),
        )


async def _run(client: Redis, *words: str) -> Any:
    """Returns the raw reply, or None without permission; the library has no parser for the name used here."""
    connection = await client.connection_pool.get_connection()  # type: ignore[no-untyped-call]
    try:
        await connection.send_command(*words)
        return await connection.read_response()
    except NoPermissionError:
        return None
    finally:
        await client.connection_pool.release(connection)


async def _may(client: Redis, *words: str) -> bool:
    try:
        return await _run(client, *words) is not None
    except ResponseError:  # allowed, and wrong for another reason
        return True


async def _allowed_of(client: Redis, commands: tuple[tuple[str, ...], ...]) -> list[str]:
    return [" ".join(words[:2]) for words in commands if await _may(client, *words)]


async def _foreign_keys(client: Redis, user: str) -> list[str]:
    others = [one.name for one in TOPOLOGY.values() if one.redis and one.name != user]
    return [f"touch the keys of {name}" for name in others if await _may(client, "TYPE", f"{name}:{{doctor}}")]


async def _refused_of(client: Redis, user: str) -> tuple[str, ...]:
    own = [("TYPE", f"{name}:{{doctor}}") for name in (user, "facts")]
    return tuple([" ".join(words[:2]) for words in (*_NEEDED, *own) if not await _may(client, *words)])


async def _is_open(client: Redis) -> bool:
    options = {**client.connection_pool.connection_kwargs, "username": None, "password": None}
    connection = client.connection_pool.connection_class(**options)
    try:
        await connection.connect()  # type: ignore[no-untyped-call]
        await connection.send_command("TIME")
        await connection.read_response()
    except (AuthenticationError, RedisError, OSError, TimeoutError):
        return False
    else:
        return True
    finally:
        await connection.disconnect(nowait=True)


def _figures(text: Any) -> dict[str, str]:
    return dict(line.split(":", 1) for line in str(text).splitlines() if ":" in line)


def _pairs(answer: Any) -> dict[str, Any]:
    if isinstance(answer, dict):
        return answer
    return dict(zip(answer[::2], answer[1::2], strict=True)) if answer else {}
