from __future__ import annotations

import pytest
from portico_harness.eventually import HANGS
from portico_harness.servers import RunningNats
from portico_runtime.nats_client import NatsClient

pytestmark = pytest.mark.servers


async def test_answered_readiness_check_postpones_the_next_ping(nats_server: RunningNats) -> None:
    """An idle client sends no ping that a readiness check has just sent (decision 0089)."""
    client = NatsClient(nats_server.url, "keys", nats_server.password("keys"))
    await client.connect_once(seconds=HANGS)
    due = client._ping_interval_task
    try:
        answered = await client.answers()
        postponed = due is not None and due.cancelling() > 0
        due_later = client._ping_interval_task
    finally:
        await client.close()

    assert answered
    assert postponed
    assert due_later is not due
