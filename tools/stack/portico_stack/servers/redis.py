from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from portico_stack.machine.binaries import REDIS_SERVER, find_program
from portico_stack.machine.private_files import private_directory, write_private
from portico_stack.processes.programs import Program
from portico_stack.servers.probes import redis_answers
from portico_stack.servers.redis_files import leave_note, require_one_history

USERS: Final = ("authz", "token", "users", "console")

MEMORY_MIB: Final = 512
"""Enough for some hundred thousand sessions with their grants."""

MEMORY_VARIABLE: Final = "PORTICO_STACK_REDIS_MEMORY_MIB"

RULES: Final = (
    "resetchannels -@all +@read +@write +@connection +eval +evalsha +script|load +time "
    "-@dangerous -@admin -@blocking -scan -randomkey -dbsize -select -swapdb -move "
    "+wait +client|setname +info +role +cluster|slots"
)
"""Commands a service may use. Left out besides the dangerous ones: whatever shows keys of others or another database.

`WAIT` comes after the blocking ones, to which it belongs from Redis 7 on. `INFO` is allowed whole: a rule for one of
its sections is misuse from Redis 7 on, and may be refused later.
"""


def acl(passwords: Mapping[str, str]) -> str:
    """The ACL file: the default user is off, and passwords are SHA-256 hashes.

    Each user may access keys with its name and a colon as prefix, and versions. Redis 6.2 has no read-only keys.
    """
    lines = ["user default off"]
    for user, password in passwords.items():
        digest = hashlib.sha256(password.encode()).hexdigest()
        lines.append(f"user {user} on #{digest} ~{user}:* ~facts:* {RULES}")
    return "\n".join(lines) + "\n"


def config(data: Path, port: int, bind: str, memory_mib: int) -> str:
    """redis.conf: every acknowledged write is on disk, and nothing is evicted: a full Redis rejects writes.

    One housekeeping a second (``hz``) suffices: expired keys are never returned, whatever it is. Its files have
    commands only, which an older server reads too (docs/guides/upgrade.md#servers).
    """
    return f"""\
bind {bind}
port {port}
dir "{data}"
aclfile "{data}/users.acl"
daemonize no
protected-mode yes
save ""
appendonly yes
appendfsync always
aof-use-rdb-preamble no
maxmemory {memory_mib}mb
maxmemory-policy noeviction
hz 1
loglevel notice
"""


@dataclass(frozen=True)
class RedisServer:
    data: Path
    port: int
    passwords: Mapping[str, str] = field(repr=False)
    bind: str = "127.0.0.1"
    memory_mib: int = MEMORY_MIB

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def write_configuration(self) -> Path:
        """Raises DataUnclear, before it writes anything."""
        require_one_history(self.data)
        private_directory(self.data)
        write_private(self.data / "users.acl", acl(self.passwords))
        return write_private(self.data / "redis.conf", config(self.data, self.port, self.bind, self.memory_mib))

    def program(self) -> Program:
        argv = (str(find_program(REDIS_SERVER)), str(self.write_configuration()))
        return Program("redis", argv, self._ready, folder=self.data)

    async def prepare(self) -> None:
        leave_note(self.data)

    async def _ready(self) -> None:
        user, password = next(iter(self.passwords.items()))
        await redis_answers(self.port, user, password)


async def create_users(admin_url: str, passwords: Mapping[str, str]) -> None:
    """`admin_url` has the credentials of a user that may run ``ACL SETUSER``."""
    from redis.asyncio import Redis  # noqa: PLC0415  # allow import-place: only the start needs it

    async with Redis.from_url(admin_url) as client:
        for line in acl(passwords).splitlines()[1:]:
            _word, user, *rules = line.split(" ")
            await client.execute_command("ACL", "SETUSER", user, "reset", *rules)  # type: ignore[no-untyped-call]
