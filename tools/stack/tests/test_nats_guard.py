"""When NATS is restarted because it stores no events."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from portico_stack.machine.http_probe import Answer
from portico_stack.running.status import state_of
from portico_stack.servers import nats_guard
from portico_stack.servers.nats_guard import BusGuard

REASON = "no event could be published for 31 s (TimeoutError)"


@dataclass
class Machine:
    reasons: list[str] = field(default_factory=lambda: [REASON])
    room: bool = True
    seconds: float = 1000.0
    restarts: list[float] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    async def ask(self) -> list[str]:
        return self.reasons

    def guard(self) -> BusGuard:
        return BusGuard(
            self.ask,
            lambda: self.room,
            lambda: self.restarts.append(self.seconds),
            self.lines.append,
            lambda: self.seconds,
        )


async def test_failing_server_is_restarted_with_a_message() -> None:
    """A server that stores no events is restarted with the reason, and a healthy one is not."""
    machine = Machine()
    guard = machine.guard()
    await guard.check()
    machine.reasons = []
    machine.seconds += 1000
    await guard.check()

    assert machine.restarts == [1000.0]
    assert machine.lines == [f"nats cannot store events ({REASON}); restarting it"]


async def test_useless_restarts_become_rare() -> None:
    """Each restart interrupts requests, so the interval grows from one to ten minutes."""
    machine = Machine()
    guard = machine.guard()
    for _ in range(3600):
        await guard.check()
        machine.seconds += 1

    assert [after - before for before, after in zip(machine.restarts, machine.restarts[1:], strict=False)] == [
        60, 120, 240, 480, 600, 600, 600, 600,
    ]  # fmt: skip


async def test_interval_resets_after_a_recovery() -> None:
    """After a healthy period longer than the interval, a failing server is restarted as at the first time."""
    machine = Machine()
    guard = machine.guard()
    await guard.check()
    machine.seconds += 60
    await guard.check()
    machine.reasons = []
    machine.seconds += 120
    await guard.check()
    machine.reasons = [REASON]
    for _ in range(2):
        await guard.check()
        machine.seconds += 60
        await guard.check()

    assert machine.restarts == [1000.0, 1060.0, 1180.0, 1240.0]


async def test_full_disk_is_reported_once() -> None:
    """A full disk is reported once, and the restart follows as soon as space is free."""
    machine = Machine(room=False)
    guard = machine.guard()
    await guard.check()
    await guard.check()
    before = list(machine.restarts)
    machine.room = True
    await guard.check()

    assert before == []
    assert machine.restarts == [1000.0]
    assert machine.lines[0] == f"nats cannot store events ({REASON}): the disk is full. Free some space."
    assert len(machine.lines) == 2


@pytest.mark.parametrize(
    ("status", "body", "ready", "text"),
    [
        (200, b'{"bus":"ok","stream":"ok"}', True, "ready"),
        (200, b'{"bus":"ok","stream":"degraded: why"}', True, "ready (stream: degraded: why)"),
        (503, b'{"bus":"does not respond","stream":"ok"}', False, "not ready (bus: does not respond)"),
        (503, b"no JSON", False, "not ready"),
    ],
)
def test_status_lists_degraded_parts(status: int, body: bytes, ready: bool, text: str) -> None:
    """A degraded part is listed by ``portico status`` although the service is ready."""
    state = state_of("users", Answer(status, body))

    assert (state.ready, state.text) == (ready, text)


async def test_unresponsive_replica_causes_no_restart() -> None:
    """A replica that does not respond is no reason to restart the bus."""
    assert await nats_guard.ask_replicas([9]) == []
