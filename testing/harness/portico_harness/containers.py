"""Runs test servers in containers where a Docker engine is available, with the same configuration and files.

The container shares the host's network and mounts the data directory under the same path.
"""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Final

from portico_stack.processes.programs import Program

IMAGES: Final = {
    "redis": "valkey/valkey:9.1.2-alpine",
    "mongo": os.environ.get("PORTICO_TEST_MONGO_IMAGE") or "mongo:8.0.30",
    "nats": "nats:2.15.1-alpine",
}
_COMMANDS: Final = {"redis": "valkey-server", "mongo": "mongod", "nats": "nats-server"}
_RUNNER: Final = Path(__file__).with_name("run_container.py")


async def docker_answers() -> bool:
    return await asyncio.to_thread(_ping)


def _ping() -> bool:
    from testcontainers.core.docker_client import DockerClient

    try:
        return bool(DockerClient(timeout=2).client.ping())
    except Exception:  # no engine, no permission, a wrong address: all the same to us
        return False


def in_container(program: Program, data: Path) -> Program:
    """Wraps a program so that it runs in a container.

    Args:
        program: one of the servers, by its name in `IMAGES`.
        data: the directory of its configuration and data.
    """
    argv = (
        sys.executable, str(_RUNNER), IMAGES[program.name], str(data), str(os.getuid()), str(os.getgid()),
        _COMMANDS[program.name], *program.argv[1:],
    )  # fmt: skip
    return replace(program, argv=argv)
