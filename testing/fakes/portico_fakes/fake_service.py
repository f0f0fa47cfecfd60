"""A fake service on the real bus, in a thread, while the test blocks in a command."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from portico_contracts.subjects import Message, Rpc
from portico_harness.eventually import HANGS
from portico_harness.loop_thread import LoopThread
from portico_harness.servers import RunningNats
from portico_oauth.errors import ServiceError
from portico_stack.running.operator_bus import operator_bus


class FakeService:
    """Subclasses register handlers at ``bus`` and record requests in ``asked``."""

    def __init__(self, nats: RunningNats, user: str, rpc: Rpc[Any, Any], question: Message) -> None:
        """Creates a fake that does not answer yet.

        Args:
            user: bus user to connect as.
            rpc, question: request with which the operator detects that it answers.
        """
        self.bus = nats.bus(user)
        self.asked: list[Any] = []
        self._nats = nats
        self._loop = LoopThread()
        self._rpc, self._question = rpc, question

    def start(self) -> None:
        """Starts, and waits until a request is answered."""
        self._loop.run(self._start())
        self.asked.clear()

    def stop(self) -> None:
        self._loop.run(self.bus.close())
        self._loop.close()

    async def _start(self) -> None:
        await self.bus.start()
        async with asyncio.timeout(HANGS), operator_bus(self._nats.url, self._nats.password("operator")) as operator:
            while not self.asked:
                with contextlib.suppress(ServiceError):
                    await operator.call(self._rpc, self._question)
