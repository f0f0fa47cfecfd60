from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

from redis.asyncio import Redis
from redis.exceptions import AuthenticationError, NoPermissionError, RedisError

from portico_runtime.doctor.finding import Finding
from portico_runtime.doctor.redis_node import NodeState, inspect_node
from portico_runtime.doctor.server_lines import dotted, oldest
from portico_runtime.redis.nodes import address as addresses
from portico_runtime.redis.nodes.address import AddressRefused, Kind
from portico_runtime.redis.nodes.sentinels import maker_by_sentinel
from portico_runtime.settings.sections.redis import RedisSection
from portico_runtime.tls.refused import why_refused

_NAME: Final = "redis"
_DISK: Final = "redis disk"
_RIGHTS: Final = "redis rights"
_REPLICAS: Final = "redis replicas"

_NEARLY_FULL: Final = 0.8


async def check_redis(settings: RedisSection, user: str) -> AsyncIterator[Finding]:
    try:
        clients = await _clients(settings, user)
        looks = await asyncio.gather(*(inspect_node(label, client, user) for label, client in clients))
    except AddressRefused as error:
        yield Finding(_NAME, "wrong", f"{error}", "Correct it. docs/generated/settings.md lists the supported formats.")
        return
    except (RedisError, OSError, TimeoutError) as error:
        yield _failure(error, settings, user)
        return
    for findings in zip(*(_findings(look, settings, user) for look in looks), strict=True):
        for finding in _worst(findings):
            yield finding


def _findings(look: NodeState, settings: RedisSection, user: str) -> tuple[Finding, ...]:
    return (
        _server(look),
        _memory(look),
        _disk(look),
        _replicas(look, settings.redis_wait_replicas),
        _rights(look, user),
    )


def _worst(findings: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.level != "ok"] or [findings[0]]


def _failure(error: Exception, settings: RedisSection, user: str) -> Finding:
    if isinstance(error, AuthenticationError):
        fix = f"Run ACL SETUSER {user} with PORTICO_REDIS_PASSWORD as the password."
        return Finding(_NAME, "wrong", f"it rejects the password of the user {user}", fix)
    if isinstance(error, NoPermissionError):
        fix = f"Run ACL SETUSER {user} as shown in docs/guides/doctor.md."
        return Finding(_NAME, "wrong", f"the user {user} cannot read its state", fix)
    if refusal := why_refused(error):
        fix = "Set ssl_ca_certs in PORTICO_REDIS_URL to its certificate authority. The certificate of each node must contain its address."
        return Finding(_NAME, "wrong", refusal, fix, f"{user} rejects requests that need Redis with 503.")
    fix = "Check that Redis is running and that PORTICO_REDIS_URL is its address. With Sentinel, the name of the master must be known to it."
    text = f"no master responds within {settings.redis_timeout:g} s ({type(error).__name__})"
    return Finding(_NAME, "wrong", text, fix, f"{user} rejects requests that need Redis with 503.")


def _server(look: NodeState) -> Finding:
    if look.role != "master":
        fix = "Set PORTICO_REDIS_URL to the master, or to the Sentinels."
        return Finding(_NAME, "wrong", f"{look.label} is a replica, which does not accept writes", fix)
    if look.version < oldest(look.server):
        fix = "Install Valkey 9, or Redis 6.2 or newer."
        return Finding(
            _NAME,
            "wrong",
            f"{look.label} is {look.server} {dotted(look.version)}, which is too old",
            fix,
            "It lacks required commands.",
        )
    return Finding(_NAME, "ok", f"{look.label} responds, {look.server} {dotted(look.version)}")


def _memory(look: NodeState) -> Finding:
    used, maximum = look.used / 2**20, look.maximum / 2**20
    if look.policy != "noeviction":
        fix = "Set maxmemory-policy noeviction in redis.conf, and run CONFIG SET maxmemory-policy noeviction."
        text = f"{look.label} evicts keys when it is full (maxmemory-policy {look.policy})"
        return Finding(
            _NAME, "wrong", text, fix, "Evicted keys may record that a token was revoked or that a code was used."
        )
    if not maximum:
        fix = "Set maxmemory below the free memory of the machine. See docs/guides/sizing.md for the required size."
        why = "When the machine runs out of memory, Redis or another program is killed. With maxmemory, Redis only refuses writes."
        return Finding(_NAME, "warning", f"{look.label} has no maxmemory", fix, why)
    if used > maximum * _NEARLY_FULL:
        fix = "Increase maxmemory. See docs/guides/sizing.md for the required size."
        why = "When it is full, sign-ins are rejected with 503."
        return Finding(_NAME, "warning", f"{look.label} uses {used:.0f} of {maximum:.0f} MiB", fix, why)
    return Finding(_NAME, "ok", f"uses {used:.0f} of {maximum:.0f} MiB, and evicts nothing")


def _disk(look: NodeState) -> Finding:
    why = "Acknowledged writes are lost when Redis stops. The affected sessions and tokens end."
    if look.persistence is None:
        fix = f"Run ACL SETUSER {look.user} +info. Until then, redis-cli CONFIG GET append* shows it."
        return Finding(_DISK, "warning", f"this user cannot see whether {look.label} writes to disk", fix, why)
    if look.persistence.get("aof_enabled") != "1":
        fix = "Set appendonly yes and appendfsync always in redis.conf."
        return Finding(_DISK, "warning", f"{look.label} does not write to disk (appendonly no)", fix, why)
    if look.persistence.get("aof_last_write_status", "ok") != "ok":
        fix = "Free space on its disk. Its log has the error."
        return Finding(_DISK, "wrong", f"the last write of {look.label} to disk failed", fix, why)
    if look.fsync not in ("", "always"):
        fix = "Set appendfsync always in redis.conf."
        return Finding(
            _DISK, "warning", f"{look.label} syncs to disk with a delay (appendfsync {look.fsync})", fix, why
        )
    seen = (
        ", and writes are synced before they are acknowledged (appendfsync always)"
        if look.fsync
        else "; appendfsync is visible only to administrators"
    )
    return Finding(_DISK, "ok", f"appendonly is on{seen}")


def _replicas(look: NodeState, wanted: int) -> Finding:
    if look.replicas < wanted:
        fix = "Start the replicas, or lower PORTICO_REDIS_WAIT_REPLICAS."
        text = f"{look.label} has {look.replicas} replicas, but PORTICO_REDIS_WAIT_REPLICAS is {wanted}"
        return Finding(
            _REPLICAS,
            "wrong",
            text,
            fix,
            "No write is acknowledged. Sign-ins and token requests are rejected with 503.",
        )
    if look.replicas and not wanted:
        fix = "Set PORTICO_REDIS_WAIT_REPLICAS=1 for every service."
        why = (
            "A replica that becomes master may lack the last acknowledged writes. The affected sessions and tokens end."
        )
        return Finding(_REPLICAS, "warning", f"{look.label} has {look.replicas}, and writes wait for none", fix, why)
    if wanted and look.replicas == wanted:
        fix = "Give each master one replica more than PORTICO_REDIS_WAIT_REPLICAS."
        why = "While one of them is unavailable, every write is rejected with 503."
        return Finding(
            _REPLICAS, "warning", f"{look.label} has {look.replicas}, and writes wait for all of them", fix, why
        )
    return Finding(_REPLICAS, "ok", f"{look.replicas}, and writes wait for {wanted} of them")


def _rights(look: NodeState, user: str) -> Finding:
    fix = f"Run ACL SETUSER {user} as shown in docs/guides/doctor.md."
    if look.open_to_all:
        fix = "Add `user default off` to the ACL file."
        why = "Anyone who can reach its port can sign in as any user."
        return Finding(_RIGHTS, "wrong", f"{look.label} accepts commands without a password", fix, why)
    if look.allowed:
        why = "Each service is limited to its own keys, so that a compromised service cannot read the data of another one."
        return Finding(_RIGHTS, "wrong", f"the user {user} may {', '.join(look.allowed)}", fix, why)
    if look.refused:
        why = "Requests that need it are rejected with 503."
        return Finding(_RIGHTS, "wrong", f"the user {user} may not {', '.join(look.refused)}", fix, why)
    return Finding(_RIGHTS, "ok", f"the user {user} has access to its own keys and nothing else")


async def _clients(settings: RedisSection, user: str) -> list[tuple[str, Redis]]:
    address = addresses.parse_address(settings.redis_url)
    options = {**addresses.connection_options(settings, user), "socket_timeout": settings.redis_timeout}
    if address.kind is Kind.ONE:
        return [(_label(address.hosts[0]), Redis(connection_pool=addresses.maker_of_one(settings.redis_url, options)))]
    if address.kind is Kind.SENTINEL:
        return [
            (
                f"the master {address.master}",
                Redis(connection_pool=maker_by_sentinel(address, settings, options)),
            )
        ]
    make = addresses.maker_of_nodes(address, options)
    return [(_label(host), Redis(connection_pool=make(*host))) for host in await _masters(address.hosts, make)]


async def _masters(hosts: Sequence[tuple[str, int]], make: Any) -> list[tuple[str, int]]:
    failure: Exception = TimeoutError()
    for host in hosts:
        async with Redis(connection_pool=make(*host)) as client:
            try:
                slots = await client.execute_command("CLUSTER SLOTS")  # type: ignore[no-untyped-call]
            except (RedisError, OSError, TimeoutError) as error:
                failure = error
                continue
        found = [one["primary"] for one in slots.values()] if isinstance(slots, dict) else [one[2] for one in slots]
        return sorted({(str(one[0]) or host[0], int(one[1])) for one in found})
    raise failure


def _label(host: tuple[str, int]) -> str:
    return f"{host[0]}:{host[1]}"
