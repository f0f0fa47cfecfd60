from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

import structlog
from hiredis import pack_command
from portico_oauth.errors import UNAVAILABLE, ServiceError

from portico_runtime.redis.nodes.script import Value

log = structlog.get_logger("portico.redis")


def packed(*words: Value) -> bytes:
    return bytes(pack_command(words))  # type: ignore[arg-type]  # its stub knows one-word commands only


class Command:
    """A command without a reply yet.

    `tag` is the hash tag of its keys, empty where every node may answer. `version` is of the history when its
    keys were named. `until`: the deadline for sending it again, by the clock of the loop; 0 until needed.
    """

    __slots__ = ("answer", "tag", "until", "version", "words", "writes")

    def __init__(self, words: Sequence[Value], tag: str, version: int, *, writes: bool) -> None:
        self.words = bytes(pack_command(words))  # type: ignore[arg-type]
        self.tag = tag
        self.version = version
        self.writes = writes
        self.until = 0.0
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def resolve(self, reply: Any) -> None:
        if not self.answer.done():
            self.answer.set_result(reply)

    def reject(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


def reject_all(commands: Iterable[Command], error: BaseException) -> None:
    for command in commands:
        command.reject(unavailable(error))


def unavailable(error: BaseException) -> ServiceError:
    return UNAVAILABLE.error(retry_after=1, part="redis", cause=type(error).__name__)


def log_failure(error: BaseException) -> None:
    log.warning("redis failed", cause=type(error).__name__, text=str(error)[:120])
