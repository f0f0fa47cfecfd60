"""A process for what only the start needs, such as the drivers of the stores: their memory is free afterwards.

``python -m portico_stack.processes.child`` reads calls from its standard input and writes their results, both pickled.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import os
import pickle
import pkgutil
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Self

from portico_runtime.process.ending import end

from portico_stack.machine.full_disks import reason_of
from portico_stack.processes.programs import StartFailed, prepare_child

_LENGTH: Final = 4
_LONGEST_TEXT: Final = 1_000


class CallFailed(StartFailed):
    """`kind` is the name of the exception, whose text is this one's."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class Child:
    """Calls functions there, several at a time. They and their arguments are pickled; tracebacks are in `log`."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._calls = 0

    async def __aenter__(self) -> Self:
        self._log.parent.mkdir(parents=True, exist_ok=True)
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "portico_stack.processes.child"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                start_new_session=True,
                preexec_fn=prepare_child,
            )
        self._reading = asyncio.create_task(self._read(), name="results of the child")
        return self

    async def __aexit__(self, *_failure: object) -> None:
        assert self._process is not None and self._reading is not None  # noqa: S101, PT018 - narrows the types
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await end(self._reading)

    async def call(self, function: Callable[..., Any] | str, *arguments: Any) -> Any:
        """Returns what the function returns or, if it is a coroutine function, its result. Raises CallFailed.

        A function whose module only the child imports is named as ``module:function``.
        """
        assert self._process is not None and self._process.stdin is not None  # noqa: S101, PT018 - narrows the types
        self._calls += 1
        number = self._calls
        result = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._process.stdin.write(_frame((number, function, arguments)))
        try:
            return await result
        finally:
            del self._waiting[number]

    async def _read(self) -> None:
        assert self._process is not None and self._process.stdout is not None  # noqa: S101, PT018 - narrows the types
        while (frame := await _read_frame(self._process.stdout)) is not None:
            number, value, failure = frame
            future = self._waiting.get(number)
            if future is None or future.done():
                continue
            if failure:
                future.set_exception(CallFailed(*failure))
            else:
                future.set_result(value)
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(CallFailed("", f"the process that prepares the start ended; see {self._log}"))


def import_modules(*names: str) -> None:
    """Imports them before later calls: an import in between could outlast the timeout of another call's connection."""
    for name in names:
        importlib.import_module(name)


def _frame(value: Any) -> bytes:
    data = pickle.dumps(value)
    return len(data).to_bytes(_LENGTH, "big") + data


async def _read_frame(reader: asyncio.StreamReader) -> Any:
    try:
        length = int.from_bytes(await reader.readexactly(_LENGTH), "big")
        return pickle.loads(await reader.readexactly(length))  # noqa: S301 - from our own parent or child
    except asyncio.IncompleteReadError:
        return None


async def _serve() -> None:
    """Answers calls until the parent closes its end."""
    results = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what a library prints goes to the log
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    async with asyncio.TaskGroup() as group:
        while (frame := await _read_frame(reader)) is not None:
            group.create_task(_answer(results.write, *frame))


async def _answer(
    write: Callable[[bytes], object], number: int, function: Callable[..., Any] | str, arguments: tuple[Any, ...]
) -> None:
    value, failure = None, None
    try:
        value = (pkgutil.resolve_name(function) if isinstance(function, str) else function)(*arguments)
        if inspect.isawaitable(value):
            value = await value
    except Exception as error:  # all failures are the caller's to report
        traceback.print_exc()
        value, failure = None, (type(error).__name__, reason_of(error)[:_LONGEST_TEXT])
    write(_frame((number, value, failure)))


if __name__ == "__main__":
    asyncio.run(_serve())
