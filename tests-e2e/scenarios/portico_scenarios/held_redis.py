"""A Redis proxy that holds back one message, so that a process can be killed at a known step of a change."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable
from enum import Enum
from typing import Any, Self


class Step(Enum):
    """The held message: a command about the user or its response, by number (decision 0039)."""

    MARK = (1, "command")
    MARKED = (1, "answer")
    VERSION = (2, "command")
    VERSION_SET = (2, "answer")


class HeldRedis:
    """Forwards connections to Redis; use it as an async context.

    Args:
        target: the port of Redis.
    """

    def __init__(self, target: int) -> None:
        self._target = target
        self._server: asyncio.Server | None = None
        self._open: set[StreamWriter] = set()
        self._about = b""
        self._left: dict[Step, asyncio.Event] = {}
        self._commands = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._forward, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server:
            self._server.close()
        for writer in self._open:
            writer.close()

    @property
    def url(self) -> str:
        if self._server is None:
            raise RuntimeError("it does not listen")
        host, port = self._server.sockets[0].getsockname()
        return f"redis://{host}:{port}"

    def hold(self, step: Step, about: str) -> asyncio.Event:
        """Holds back a step of the next change; the event is set when it is reached.

        Args:
            about: text in the commands of the change.
        """
        self._about, self._commands, reached = about.encode(), 0, asyncio.Event()
        self._left = {step: reached}
        return reached

    async def _forward(self, reader: StreamReader, writer: StreamWriter) -> None:
        answers, commands = await asyncio.open_connection("127.0.0.1", self._target)
        self._open |= {writer, commands}
        asked: list[int] = []

        def holds_command(data: bytes) -> bool:
            if not self._about or self._about not in data:
                return False
            self._commands += 1
            asked.append(self._commands)
            return self._reach((self._commands, "command"))

        def holds_answer(_data: bytes) -> bool:
            return bool(asked) and self._reach((asked.pop(), "answer"))

        await asyncio.gather(_pass_on(reader, commands, holds_command), _pass_on(answers, writer, holds_answer))
        self._open -= {writer, commands}

    def _reach(self, place: tuple[int, str]) -> bool:
        reached = self._left.pop(Step(place), None) if place in {step.value for step in self._left} else None
        if reached:
            reached.set()
        return reached is not None


async def _pass_on(reader: StreamReader, writer: StreamWriter, holds: Callable[[bytes], Any]) -> None:
    """Forwards until a message is held, and nothing afterwards; always closes at the end."""
    held = False
    try:
        while data := await reader.read(65_536):
            held = held or holds(data)
            if not held:
                writer.write(data)
                await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()
