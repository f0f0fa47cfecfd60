"""Readiness and the internal surface."""

from __future__ import annotations

import asyncio

import httpx
from portico_runtime.health import Health
from portico_runtime.service import internal_app, lifespan


async def fine() -> None:
    """A dependency that answers."""


async def broken() -> None:
    """A dependency that does not."""
    raise ConnectionError("mongodb://user:secret@host")


async def hanging() -> None:
    """A dependency that never answers."""
    await asyncio.Event().wait()


async def ask(health: Health, path: str) -> httpx.Response:
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(internal_app(health)), base_url="http://inside.test"
    ) as client:
        return await client.get(path)


async def test_ready_when_every_dependency_answers() -> None:
    """200 and the list of dependencies."""
    health = Health()
    health.add("mongo", fine)
    answer = await ask(health, "/readyz")

    assert answer.status_code == 200
    assert answer.json() == {"mongo": "ok"}


async def test_not_ready_names_the_dependency_and_no_secret() -> None:
    """503 names the failed check, by the kind of failure only (IN-09, FD-17)."""
    health = Health()
    health.add("mongo", broken)
    health.add("bus", fine)
    answer = await ask(health, "/readyz")

    assert answer.status_code == 503
    assert answer.json() == {"mongo": "ConnectionError", "bus": "ok"}
    assert "secret" not in answer.text


async def test_degraded_stays_in_rotation_and_reports_why() -> None:
    """200 with the reason: what no request waits for takes no replica out of rotation."""
    health = Health()
    health.add("bus", fine)
    health.add_degradation("stream", lambda: "no event could be published for 31 s (TimeoutError)")
    answer = await ask(health, "/readyz")

    assert answer.status_code == 200
    assert answer.json() == {
        "bus": "ok",
        "stream": "degraded: no event could be published for 31 s (TimeoutError)",
    }


async def test_degraded_hides_no_failure() -> None:
    """503 when a dependency cannot be used, whatever else is degraded."""
    health = Health()
    health.add("bus", broken)
    health.add_degradation("stream", lambda: "no event could be published for 31 s (TimeoutError)")

    assert (await ask(health, "/readyz")).status_code == 503


async def test_a_dependency_that_hangs_is_not_ready() -> None:
    """A readiness request is answered within its time (FD-02)."""
    health = Health()
    health.add("mongo", hanging)

    assert await health.state() == {"mongo": "TimeoutError"}


async def test_alive_whatever_the_dependencies_say() -> None:
    """A service without its database is alive, so that no orchestrator restarts it."""
    health = Health()
    health.add("mongo", broken)

    assert (await ask(health, "/healthz")).status_code == 200
    assert b"python_info" in (await ask(health, "/metrics")).content


class Recorded:
    """A part that writes down what happens to it."""

    def __init__(self, name: str, log: list[str]) -> None:
        self._name = name
        self._log = log

    async def start(self) -> None:
        """Begins."""
        self._log.append(f"start {self._name}")

    async def close(self) -> None:
        """Ends."""
        self._log.append(f"close {self._name}")


async def test_parts_start_in_order_and_close_in_reverse() -> None:
    """What others rest on is there first and goes last (FD-12)."""
    log: list[str] = []
    async with lifespan([Recorded("store", log), Recorded("bus", log)])(None):
        log.append("serve")

    assert log == ["start store", "start bus", "serve", "close bus", "close store"]
