"""A lost call delays background work until its next sweep, and loses nothing (decision 0089)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from portico_contracts.events import WEBHOOKS
from portico_fakes.webhook_scenario import WebhookScenario
from portico_harness.eventually import eventually
from portico_oauth.errors import ServiceError
from portico_runtime.process.wakeup import Wakeup
from portico_users.journal.outbox import Relay
from portico_users.notifications.email.dispatcher import EmailDispatcher
from portico_users.webhooks.event_consumer import EventConsumer
from portico_users.webhooks.sender import Sender

pytestmark = pytest.mark.servers


class Sweeps:
    """No call arrives: work waits until `begin`, and from then on sweeps without a pause."""

    def __init__(self) -> None:
        self.waiting = asyncio.Event()
        self._begun = asyncio.Event()

    async def wait(self, _seconds: float = 0.0) -> bool:
        self.waiting.set()
        await self._begun.wait()
        await asyncio.sleep(0)
        return False

    def begin(self) -> None:
        self._begun.set()


@pytest.fixture
def sweeps(monkeypatch: pytest.MonkeyPatch) -> Sweeps:
    sweeps = Sweeps()
    monkeypatch.setattr(Wakeup, "set", lambda _self: None)
    monkeypatch.setattr(Wakeup, "wait", lambda _self, *seconds: sweeps.wait(*seconds))
    return sweeps


@asynccontextmanager
async def waiting(sweeps: Sweeps, run_once: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    """Background work that has found nothing, and waits."""

    async def run() -> None:
        while True:
            with suppress(ServiceError):  # a store that is late on a busy machine; the service tries again too
                await run_once()
            await asyncio.sleep(0)

    work = asyncio.create_task(run())
    try:
        await sweeps.waiting.wait()
        yield
    finally:
        work.cancel()
        with suppress(asyncio.CancelledError):
            await work


async def test_sweep_publishes_events(hooks: WebhookScenario, sweeps: Sweeps) -> None:
    users = hooks.users
    await hooks.deliver()
    async with waiting(sweeps, users.service.find(Relay).run_once):
        await hooks.rename("Renamed")
        before = await users.rows("outbox")
        sweeps.begin()
        await eventually(lambda: users.rows("outbox"), lambda rows: rows == [])

    assert before


async def test_sweep_sends_emails(hooks: WebhookScenario, sweeps: Sweeps) -> None:
    users = hooks.users
    await users.home()
    async with waiting(sweeps, users.service.find(EmailDispatcher).run_once):
        await users.register(users.mail())
        before = list(users.kept.taken)
        sweeps.begin()
        await eventually(lambda: users.rows("mails"), lambda rows: rows == [])

    assert not before
    assert len(users.kept.taken) == 1


async def test_sweep_delivers_webhooks(hooks: WebhookScenario, sweeps: Sweeps) -> None:
    users = hooks.users
    await hooks.add("first", "org.*")
    await hooks.deliver()

    async def got() -> list[Any]:
        return hooks.got()

    async with waiting(sweeps, users.service.find(Sender).run_once):
        await hooks.rename("Renamed")
        while await users.service.find(Relay).publish_batch():
            pass
        while await users.bus.consume(WEBHOOKS, users.service.find(EventConsumer).consume, seconds=0):
            pass
        before = hooks.got()
        sweeps.begin()
        await eventually(got, bool)

    assert before == []
