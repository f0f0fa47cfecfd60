"""Redis: reachable, never evicting, on the disk, with the replicas that are waited for, and a user with few rights."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

from redis.asyncio import Redis
from redis.exceptions import AuthenticationError, NoPermissionError, RedisError

from portico_runtime.doctor.finding import Finding
from portico_runtime.doctor.redis_look import Look, look_at
from portico_runtime.redis_nodes import address as addresses
from portico_runtime.redis_nodes.address import AddressRefused, Kind
from portico_runtime.refused_tls import why_refused
from portico_runtime.settings import RedisSection

_NAME: Final = "redis"
_DISK: Final = "redis disk"
_RIGHTS: Final = "redis rights"
_REPLICAS: Final = "redis replicas"

OLDEST: Final = (6, 2)
_NEARLY_FULL: Final = 0.8


async def examine_redis(settings: RedisSection, user: str) -> AsyncIterator[Finding]:
    """The checks, of every node that takes writes, as the user of the service; nothing is written.

    Args:
        user: the service.
    """
    try:
        clients = await _clients(settings, user)
        looks = await asyncio.gather(*(look_at(label, client, user) for label, client in clients))
    except AddressRefused as error:
        yield Finding(_NAME, "wrong", f"{error}", "Correct it; docs/generated/settings.md has its forms.")
        return
    except (RedisError, OSError, TimeoutError) as error:
        yield _failure(error, settings, user)
        return
    for findings in zip(*(_findings(look, settings, user) for look in looks), strict=True):
        for finding in _worst(findings):
            yield finding


def _findings(look: Look, settings: RedisSection, user: str) -> tuple[Finding, ...]:
    return (
        _server(look),
        _memory(look),
        _disk(look),
        _replicas(look, settings.redis_wait_replicas),
        _rights(look, user),
    )


def _worst(findings: Sequence[Finding]) -> list[Finding]:
    """Of one check at all nodes: those with something to do, or the first where all is well."""
    return [finding for finding in findings if finding.level != "ok"] or [findings[0]]


def _failure(error: Exception, settings: RedisSection, user: str) -> Finding:
    if isinstance(error, AuthenticationError):
        fix = f"ACL SETUSER {user} with the password of PORTICO_REDIS_PASSWORD."
        return Finding(_NAME, "wrong", f"it does not accept the user {user} with this password", fix)
    if isinstance(error, NoPermissionError):
        fix = f"ACL SETUSER {user} as docs/guides/doctor.md has it."
        return Finding(_NAME, "wrong", f"the user {user} may not even look at it", fix)
    if refusal := why_refused(error):
        fix = (
            "ssl_ca_certs of PORTICO_REDIS_URL has to name its authority, and the certificate of each node its address."
        )
        return Finding(_NAME, "wrong", refusal, fix, f"{user} refuses what it needs Redis for with 503.")
    fix = "Is it running, and is PORTICO_REDIS_URL where it is? With Sentinel the name of the master has to be known there."
    text = f"no master answers within {settings.redis_timeout:g} s ({type(error).__name__})"
    return Finding(_NAME, "wrong", text, fix, f"{user} refuses what it needs Redis for with 503.")


def _server(look: Look) -> Finding:
    if look.role != "master":
        fix = "Name the master in PORTICO_REDIS_URL, or the Sentinels that know which it is."
        return Finding(_NAME, "wrong", f"{look.label} is a replica, which takes no writes", fix)
    if look.version < OLDEST:
        fix = "Install Redis 6.2 or newer, or Valkey."
        return Finding(
            _NAME, "wrong", f"{look.label} is version {_dotted(look.version)}", fix, "Commands are missing in it."
        )
    return Finding(_NAME, "ok", f"{look.label} answers, version {_dotted(look.version)}")


def _memory(look: Look) -> Finding:
    used, maximum = look.used / 2**20, look.maximum / 2**20
    if look.policy != "noeviction":
        fix = "maxmemory-policy noeviction in redis.conf, and CONFIG SET maxmemory-policy noeviction."
        text = f"{look.label} deletes what it likes when it is full (maxmemory-policy {look.policy})"
        return Finding(_NAME, "wrong", text, fix, "What is evicted may be that a token was revoked, or a code used.")
    if not maximum:
        fix = "Set maxmemory below what the machine can spare; docs/guides/sizing.md has how much is needed."
        why = "A full machine ends Redis, or another program; a full Redis only refuses writes."
        return Finding(_NAME, "warning", f"{look.label} has no maxmemory", fix, why)
    if used > maximum * _NEARLY_FULL:
        fix = "Raise maxmemory; docs/guides/sizing.md has how much is needed."
        why = "When it is full, sign-ins are refused with 503."
        return Finding(_NAME, "warning", f"{look.label} uses {used:.0f} of {maximum:.0f} MiB", fix, why)
    return Finding(_NAME, "ok", f"uses {used:.0f} of {maximum:.0f} MiB, and evicts nothing")


def _disk(look: Look) -> Finding:
    why = "What it acknowledged is lost when it ends: the sessions and tokens concerned end with it."
    if look.persistence is None:
        fix = f"ACL SETUSER {look.user} +info|persistence; until then redis-cli CONFIG GET append* shows it."
        return Finding(
            _DISK, "warning", f"whether {look.label} writes to the disk cannot be seen by this user", fix, why
        )
    if look.persistence.get("aof_enabled") != "1":
        fix = "appendonly yes and appendfsync always in redis.conf."
        return Finding(_DISK, "warning", f"{look.label} does not write to its disk (appendonly no)", fix, why)
    if look.persistence.get("aof_last_write_status", "ok") != "ok":
        fix = "Free its disk; its log has the error."
        return Finding(_DISK, "wrong", f"{look.label} could not write to its disk the last time", fix, why)
    if look.fsync not in ("", "always"):
        fix = "appendfsync always in redis.conf."
        return Finding(_DISK, "warning", f"{look.label} writes to its disk late (appendfsync {look.fsync})", fix, why)
    seen = ", before it answers (appendfsync always)" if look.fsync else "; appendfsync is for administrators to see"
    return Finding(_DISK, "ok", f"appendonly is on{seen}")


def _replicas(look: Look, wanted: int) -> Finding:
    if look.replicas < wanted:
        fix = "Start the replicas, or lower PORTICO_REDIS_WAIT_REPLICAS."
        text = f"{look.label} has {look.replicas} replicas, and PORTICO_REDIS_WAIT_REPLICAS waits for {wanted}"
        return Finding(
            _REPLICAS, "wrong", text, fix, "No write is acknowledged: sign-ins and tokens are refused with 503."
        )
    if look.replicas and not wanted:
        fix = "PORTICO_REDIS_WAIT_REPLICAS=1 for every service."
        why = "A replica that becomes master may miss what was acknowledged last: the buckets concerned begin anew."
        return Finding(_REPLICAS, "warning", f"{look.label} has {look.replicas}, and none is waited for", fix, why)
    if wanted and look.replicas == wanted:
        fix = "Give each master one replica more than is waited for."
        why = "While one of them is away, every write is refused with 503."
        return Finding(_REPLICAS, "warning", f"{look.label} has {look.replicas}, and all are waited for", fix, why)
    return Finding(_REPLICAS, "ok", f"{look.replicas}, of which {wanted} are waited for")


def _rights(look: Look, user: str) -> Finding:
    fix = f"ACL SETUSER {user} as docs/guides/doctor.md has it."
    if look.open_to_all:
        fix = "user default off in the ACL file."
        why = "Who reaches its port is signed in as whom he likes."
        return Finding(_RIGHTS, "wrong", f"{look.label} takes commands without a password", fix, why)
    if look.allowed:
        why = "Each service is limited to its own keys, so that a fault in one gives nothing of another away."
        return Finding(_RIGHTS, "wrong", f"the user {user} may {', '.join(look.allowed)}", fix, why)
    if look.refused:
        why = "Requests that need it are refused with 503."
        return Finding(_RIGHTS, "wrong", f"the user {user} may not {', '.join(look.refused)}", fix, why)
    return Finding(_RIGHTS, "ok", f"the user {user} reaches its own keys and nothing else")


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(str(part) for part in version)


async def _clients(settings: RedisSection, user: str) -> list[tuple[str, Redis]]:
    """A client of every node that takes writes, with the name it has in findings.

    Raises:
        AddressRefused: the setting is no address.
        RedisError, OSError, TimeoutError: the nodes of a cluster cannot be learned.
    """
    address = addresses.parse_address(settings.redis_url)
    options = {**addresses.connection_options(settings, user), "socket_timeout": settings.redis_timeout}
    if address.kind is Kind.ONE:
        return [(_label(address.hosts[0]), Redis(connection_pool=addresses.maker_of_one(settings.redis_url, options)))]
    if address.kind is Kind.SENTINEL:
        return [
            (
                f"the master {address.master}",
                Redis(connection_pool=addresses.maker_by_sentinel(address, settings, options)),
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
