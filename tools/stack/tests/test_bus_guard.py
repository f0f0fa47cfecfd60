"""When NATS is started again because it stores no events."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from portico_stack import bus_guard
from portico_stack.bus_guard import BusGuard
from portico_stack.http_probe import Answer
from portico_stack.status import state_of

REASON = "no event could be published for 31 s (TimeoutError)"


@dataclass
class Machine:
    """What the guard looks at and acts on."""

    reasons: list[str] = field(default_factory=lambda: [REASON])
    room: bool = True
    seconds: float = 1000.0
    restarts: list[float] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    async def ask(self) -> list[str]:
        """The reasons the replicas report."""
        return self.reasons

    def guard(self) -> BusGuard:
        """A guard of this machine."""
        return BusGuard(
            self.ask,
            lambda: self.room,
            lambda: self.restarts.append(self.seconds),
            self.lines.append,
            lambda: self.seconds,
        )


async def test_a_server_that_stores_nothing_is_restarted_with_a_line() -> None:
    """The operator reads why; a server that stores events is left alone."""
    machine = Machine()
    guard = machine.guard()
    await guard.check()
    machine.reasons = []
    machine.seconds += 1000
    await guard.check()

    assert machine.restarts == [1000.0]
    assert machine.lines == [f"nats cannot store events ({REASON}); restarting it"]


async def test_restarts_that_do_not_help_become_rare() -> None:
    """Each restart costs questions: the pauses grow from a minute to ten."""
    machine = Machine()
    guard = machine.guard()
    for _ in range(3600):
        await guard.check()
        machine.seconds += 1

    assert [after - before for before, after in zip(machine.restarts, machine.restarts[1:], strict=False)] == [
        60, 120, 240, 480, 600, 600, 600, 600,
    ]  # fmt: skip


async def test_the_pause_starts_over_after_a_recovery() -> None:
    """A server that was well for longer than the pause is restarted as at the first time."""
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


async def test_a_full_disk_is_reported_once_and_waited_for() -> None:
    """Without room a restart changes nothing; with room it comes at once."""
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
        (503, b'{"bus":"ConnectionError","stream":"ok"}', False, "not ready (bus: ConnectionError)"),
        (503, b"no JSON", False, "not ready"),
    ],
)
def test_status_names_what_is_degraded(status: int, body: bytes, ready: bool, text: str) -> None:
    """A degraded part is listed by ``portico status`` although the service is ready."""
    state = state_of("users", Answer(status, body))

    assert (state.ready, state.text) == (ready, text)


async def test_who_does_not_answer_is_no_reason() -> None:
    """A replica that does not answer is no reason to restart the bus."""
    assert await bus_guard.ask_replicas([9]) == []
