"""Redis 6.2 as the release 0.3 configured it, and the guide's way back to it."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Final

from portico_stack.machine.binaries import find_program
from portico_stack.machine.private_files import private_directory, write_private
from portico_stack.processes.programs import Program
from portico_stack.servers import redis

from portico_harness.redis_programs import REDIS_6_2

_GUIDE: Final = Path(__file__).parents[3] / "docs" / "guides" / "upgrade.md"


class RedisOfLastRelease(redis.RedisServer):
    def write_configuration(self) -> Path:
        private_directory(self.data)
        rules = redis.acl(self.passwords).replace(" +info ", " +info|memory +info|persistence ")
        write_private(self.data / "users.acl", rules)
        text = redis.config(self.data, self.port, self.bind, self.memory_mib)
        return write_private(self.data / "redis.conf", text.replace("aof-use-rdb-preamble no\n", ""))

    def program(self) -> Program:
        return replace(super().program(), argv=(str(find_program(REDIS_6_2)), str(self.write_configuration())))

    async def prepare(self) -> None:
        pass


def go_back(installation: Path) -> None:
    """Runs the guide's command in the directory of an installation, whose data are in .portico."""
    block = re.search(r"\n\n((?: {4}.*appendonlydir.*\n| {4}cd .*\n)+)", _GUIDE.read_text())
    assert block, f"{_GUIDE} has no command for the way back"
    subprocess.run(("sh", "-ec", block[1]), cwd=installation, check=True)
