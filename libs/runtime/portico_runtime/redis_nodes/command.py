"""A command on its way to Redis, and its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import structlog
from hiredis import pack_command
from portico_oauth.errors import UNAVAILABLE, ServiceError

from portico_runtime.redis_nodes.script import Value

log = structlog.get_logger("portico.redis")


def packed(*words: Value) -> bytes:
    """A command as it is sent. Packed by hiredis: the connection's own way is in Python."""
    return bytes(pack_command(words))  # type: ignore[arg-type]  # its stub knows one-word commands only


class Command:
    """A command that has no answer yet.

    Attributes:
        words: the command as it is sent, packed.
        tag: the hash tag of its keys; empty where it has none, and every node may answer.
        version: of what was known of the history when its keys were named, see `History`.
        writes: the replicas have to acknowledge it.
        until: when the time for sending it again is over, by the clock of the loop; 0 until that is needed.
        answer: the reply of Redis, or why it is not known.
    """

    __slots__ = ("answer", "tag", "until", "version", "words", "writes")

    def __init__(self, words: bytes, tag: str, version: int, *, writes: bool) -> None:
        self.words = words
        self.tag = tag
        self.version = version
        self.writes = writes
        self.until = 0.0
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def resolve(self, reply: Any) -> None:
        """Sets the answer, unless no caller waits for it any more."""
        if not self.answer.done():
            self.answer.set_result(reply)

    def reject(self, error: Exception) -> None:
        """Sets the error in the place of an answer."""
        if not self.answer.done():
            self.answer.set_exception(error)


def reject_all(commands: Iterable[Command], error: BaseException) -> None:
    """Those that have no answer by now are refused."""
    for command in commands:
        command.reject(unavailable(error))


def unavailable(error: BaseException) -> ServiceError:
    """What a caller gets for an error of the driver."""
    return UNAVAILABLE.error(retry_after=1, part="redis", cause=type(error).__name__)


def log_failure(error: BaseException) -> None:
    """One line, shortened: texts of Redis may repeat what they were asked."""
    log.warning("redis failed", cause=type(error).__name__, text=str(error)[:120])
