from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from portico_harness.servers import RunningRedis, running_alone
from portico_runtime.doctor.finding import Finding
from portico_runtime.doctor.redis import check_redis
from portico_runtime.settings.sections.redis import RedisSection
from portico_stack.machine.ports import free_port
from portico_stack.machine.private_files import write_private
from portico_stack.processes.programs import Program
from portico_stack.servers import redis
from pydantic import SecretStr
from redis.asyncio import Redis

from .findings import gathered, of_level, printed

pytestmark = pytest.mark.servers

CANARY = "canary-of-redis-91c4"
GUIDE = Path(__file__).parents[4] / "docs" / "guides" / "doctor.md"
OPEN = "user default on nopass ~* &* +@all"
SHUT = "user default off"


@dataclass(frozen=True)
class Altered(redis.RedisServer):
    """Redis with another ACL file.

    Args:
        default: line of the default user.
        rules: rules of the service's user, after its password.
    """

    default: str = SHUT
    rules: str = f"~users:* ~facts:* {redis.RULES}"

    def program(self) -> Program:
        program = super().program()
        digest = hashlib.sha256(CANARY.encode()).hexdigest()
        write_private(self.data / "users.acl", f"{self.default}\nuser users on #{digest} {self.rules}\n")
        return program


@contextmanager
def altered(data: Path, *arguments: str, default: str = SHUT, rules: str = "") -> Iterator[RedisSection]:
    server = Altered(data, free_port(), {"users": CANARY}, default=default, rules=rules or Altered.rules)
    with running_alone(server, *arguments, contained=False):
        yield RedisSection(redis_url=server.url, redis_password=SecretStr(CANARY))


async def found_at(data: Path, *arguments: str, default: str = SHUT, rules: str = "") -> list[Finding]:
    """Returns the findings about such a server; checks that none shows the password."""
    with altered(data, *arguments, default=default, rules=rules) as section:
        found = await gathered(check_redis(section, "users"))
    assert CANARY not in printed(found)
    return found


async def test_stack_configuration_is_correct(tmp_path: Path) -> None:
    found = await found_at(tmp_path)

    assert [finding.level for finding in found] == ["ok"] * 5
    assert "evicts nothing" in printed(found)
    assert "appendonly is on" in printed(found)
    assert "the user users has access to its own keys and nothing else" in printed(found)


def test_guide_has_the_acl_rules_of_the_stack() -> None:
    words = " ".join(GUIDE.read_text().split())

    assert f"resetchannels ~users:* ~facts:* {redis.RULES.removeprefix('resetchannels ')}" in words


async def test_every_cluster_node_is_examined(redis_server: RunningRedis) -> None:
    section = redis_server.section("users").model_copy(
        update={"redis_url": redis_server.url.replace("redis://", "redis+cluster://")}
    )
    found = await gathered(check_redis(section, "users"))

    assert [finding.level for finding in found] == ["ok"] * 5


@pytest.mark.parametrize(
    ("arguments", "level", "text"),
    [
        (("--maxmemory-policy", "allkeys-lru"), "wrong", "maxmemory-policy allkeys-lru"),
        (("--maxmemory", "0"), "warning", "has no maxmemory"),
        (("--maxmemory", "1000kb"), "warning", "uses 1 of 1 MiB"),
        (("--appendonly", "no"), "warning", "appendonly no"),
        (("--replicaof", "127.0.0.1", "9"), "wrong", "is a replica, which does not accept writes"),
    ],
    ids=["evicts", "no limit", "nearly full", "not on the disk", "a replica"],
)
async def test_wrong_configuration_is_reported(
    tmp_path: Path, arguments: tuple[str, ...], level: str, text: str
) -> None:
    """A setting that loses records or refuses writes is named."""
    assert text in of_level(await found_at(tmp_path, *arguments), level)


@pytest.mark.parametrize(
    ("default", "rules", "text"),
    [
        (OPEN, "", "accepts commands without a password"),
        (SHUT, "~* &* +@all", "may CONFIG GET, ACL LIST, CLIENT LIST, DBSIZE, KEYS -, touch the keys of authz"),
        (SHUT, f"~* {redis.RULES}", "may touch the keys of authz, touch the keys of token, touch the keys of console"),
        (SHUT, f"~users:* {redis.RULES}", "may not TYPE facts:{doctor}"),
        (SHUT, "~users:* ~facts:* +@all -@dangerous -@admin -wait +info +role -dbsize", "may not WAIT 0"),
    ],
    ids=["no password", "everything", "keys of others", "no facts", "no waiting"],
)
async def test_wrong_acl_rules_are_reported(tmp_path: Path, default: str, rules: str, text: str) -> None:
    """Rules beyond the service's own keys and missing rules are errors."""
    assert text in of_level(await found_at(tmp_path, default=default, rules=rules), "wrong")


async def test_missing_right_to_see_persistence_is_reported(tmp_path: Path) -> None:
    """With the ACL rules of an earlier release the service works, and the doctor reports what it cannot see."""
    found = await found_at(tmp_path, rules=f"~users:* ~facts:* {redis.RULES} -info +info|memory")

    assert "this user cannot see whether" in of_level(found, "warning")
    assert of_level(found, "wrong") == ""


async def test_late_fsync_is_reported_where_readable(tmp_path: Path) -> None:
    """A user with the right to read the configuration has too many rights, but the doctor then checks appendfsync."""
    rules = f"~users:* ~facts:* {redis.RULES} +config|get"
    found = await found_at(tmp_path, "--appendfsync", "everysec", rules=rules)

    assert "appendfsync everysec" in of_level(found, "warning")
    assert "may CONFIG GET" in of_level(found, "wrong")


async def test_replicas_are_compared_with_wait_setting(tmp_path: Path) -> None:
    """Fewer replicas than required refuse every write, as many leave none to spare, and requiring none may lose
    writes.
    """
    replica = Altered(tmp_path / "replica", free_port(), {"users": CANARY}, rules="~* &* +@all", default=OPEN)
    with altered(tmp_path / "master", default=OPEN) as section:
        alone = await gathered(check_redis(section.model_copy(update={"redis_wait_replicas": 1}), "users"))
        master = section.redis_url.removeprefix("redis://").split(":")
        with running_alone(replica, "--replicaof", *master, contained=False):
            async with Redis.from_url(section.redis_url, socket_timeout=20) as client:
                await client.set("facts:{doctor}", "1")
                while not await client.wait(1, 100):
                    pass
            waits = await gathered(check_redis(section.model_copy(update={"redis_wait_replicas": 1}), "users"))
            waits_not = await gathered(check_redis(section, "users"))

    assert "has 0 replicas, but PORTICO_REDIS_WAIT_REPLICAS is 1" in of_level(alone, "wrong")
    assert "has 1, and writes wait for all of them" in of_level(waits, "warning")
    assert "has 1, and writes wait for none" in of_level(waits_not, "warning")


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("redis://127.0.0.1:9", "no master responds"),
        ("redis+cluster://127.0.0.1:9", "no master responds"),
        ("redis+sentinel://127.0.0.1:9/portico", "no master responds"),
        (f"redis://users:{CANARY}@127.0.0.1:9", "must have at least one host and no credentials"),
    ],
)
async def test_unreachable_address_is_reported(url: str, text: str) -> None:
    """Each kind of unreachable address is reported without the credentials in it."""
    found = await gathered(check_redis(RedisSection(redis_url=url, redis_timeout=0.5), "users"))

    assert text in of_level(found, "wrong")
    assert CANARY not in printed(found)


async def test_refused_password_is_reported(redis_server: RunningRedis) -> None:
    """The finding names the user but not the password."""
    section = redis_server.section("users").model_copy(update={"redis_password": SecretStr(CANARY)})
    found = await gathered(check_redis(section, "users"))

    assert of_level(found, "wrong") == "it rejects the password of the user users"
    assert CANARY not in printed(found)
