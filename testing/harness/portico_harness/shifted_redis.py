"""A Redis whose clock tests set, with libfaketime where it is installed (`apt install libfaketime`).

`PORTICO_TEST_LIBFAKETIME` names the library where it is elsewhere.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pytest
from portico_stack.machine.ports import free_port
from portico_stack.processes.programs import Process, Program
from portico_stack.servers import redis

from portico_harness.loop_thread import LoopThread
from portico_harness.servers import RunningRedis

_LIBRARIES: Final = ("/usr/lib", "/usr/local/lib")


@dataclass(frozen=True)
class ShiftedRedis:
    server: RunningRedis
    _offset: Path

    def shift(self, seconds: int) -> None:
        """Moves the clock of Redis so many seconds ahead of this machine's."""
        written = self._offset.with_suffix(".new")
        written.write_text(f"{seconds:+d}")
        written.rename(self._offset)


class _RedisUnderAnotherClock(redis.RedisServer):
    def program(self) -> Program:
        program = super().program()
        faked = {
            "LD_PRELOAD": _library(),
            "FAKETIME_TIMESTAMP_FILE": str(offset_file(self.data)),
            "FAKETIME_NO_CACHE": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }
        return replace(program, env={**program.env, **faked})


@contextmanager
def redis_under_another_clock(data: Path) -> Iterator[ShiftedRedis]:
    """Runs a Redis until the block ends; skips the test where libfaketime is missing."""
    if not _library():
        pytest.skip("libfaketime is not installed")
    data.mkdir(parents=True, exist_ok=True)
    passwords = {user: f"p{secrets.token_hex(16)}" for user in redis.USERS}
    server, loop = _RedisUnderAnotherClock(data, free_port(), passwords), LoopThread()
    offset_file(data).write_text("+0")
    try:
        process = Process(server.program(), data / "logs", print)
        loop.run(process.start())
        try:
            yield ShiftedRedis(RunningRedis(server.url, passwords, process, loop), offset_file(data))
        finally:
            loop.run(process.stop(5))
    finally:
        loop.close()


def offset_file(data: Path) -> Path:
    return data / "offset"


def _library() -> str:
    if named := os.environ.get("PORTICO_TEST_LIBFAKETIME"):
        return named
    return next((str(path) for place in _LIBRARIES for path in Path(place).glob("**/faketime/libfaketimeMT.so.1")), "")
