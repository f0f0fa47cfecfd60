"""Ends a command early: its threads stop, and what it created for itself is removed."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from contextvars import ContextVar
from typing import Any, Final, ParamSpec, TypeVar

import click

Result = TypeVar("Result")
Given = ParamSpec("Given")

_SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP)
"""Of a supervisor and of a closed terminal; asyncio treats Ctrl-C the same way."""

_stopped: ContextVar[threading.Event | None] = ContextVar("stopped", default=None)


class Stopped(Exception):
    """Raised in a thread whose command was interrupted."""


def run_to_the_end(work: Coroutine[Any, Any, Result]) -> Result:
    """Like `asyncio.run`; the signals that end a process cancel the work first, so that it removes its files."""

    async def run() -> Result:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None  # noqa: S101 - narrows the type
        for number in _SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # by nohup
                loop.add_signal_handler(number, task.cancel)
        return await work

    try:
        return asyncio.run(run())
    except asyncio.CancelledError:
        click.echo("Aborted!", err=True)
        sys.exit(1)


async def in_thread(work: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs) -> Result:
    """Like `asyncio.to_thread`; when it is cancelled, it returns once the thread has ended, at its next progress."""
    stopped = threading.Event()
    reset = _stopped.set(stopped)
    running = asyncio.ensure_future(asyncio.to_thread(work, *args, **kwargs))
    _stopped.reset(reset)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        stopped.set()
        with suppress(Exception):
            await running
        raise


def end_if_stopped() -> None:
    """Raises `Stopped` in a thread that is to end."""
    if (stopped := _stopped.get()) and stopped.is_set():
        raise Stopped
