from __future__ import annotations

import asyncio

import httpx
import portico_runtime.process.health as health_module
import pytest
from portico_fakes.clock import FrozenClock
from portico_harness.eventually import HANGS
from portico_oauth.errors import INVALID_INPUT, UNAVAILABLE
from portico_runtime.process.health import (
    UNUSED_SECONDS,
    Health,
    NotReady,
    _Failures,
    note_failure,
    note_request,
    noting_failures,
)
from portico_runtime.service import internal_app, lifespan


async def fine() -> None:
    pass


async def broken() -> None:
    raise ConnectionError("mongodb://user:secret@host")


async def hanging() -> None:
    await asyncio.Event().wait()


async def ask(health: Health, path: str, **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(internal_app(health)), base_url="http://inside.test"
    ) as client:
        return await client.get(path, headers=headers)


async def test_ready_when_every_dependency_answers() -> None:
    health = Health()
    health.add("mongo", fine)
    answer = await ask(health, "/readyz")

    assert answer.status_code == 200
    assert answer.json() == {"mongo": "ok"}


async def test_unready_names_the_dependency_and_no_secret() -> None:
    """A 503 names the failed check and only the kind of its failure (IN-09, FD-17)."""
    health = Health()
    health.add("mongo", broken)
    health.add("bus", fine)
    answer = await ask(health, "/readyz")

    assert answer.status_code == 503
    assert answer.json() == {"mongo": "does not respond", "bus": "ok"}
    assert "secret" not in answer.text


async def test_degraded_replica_stays_ready_and_reports_why() -> None:
    """A degradation that no request waits for answers 200 with its reason."""
    health = Health()
    health.add("bus", fine)
    health.add_degradation("stream", lambda: "no event could be published for 31 s (TimeoutError)")
    answer = await ask(health, "/readyz")

    assert answer.status_code == 200
    assert answer.json() == {
        "bus": "ok",
        "stream": "degraded: no event could be published for 31 s (TimeoutError)",
    }


async def test_degraded_does_not_hide_a_failure() -> None:
    health = Health()
    health.add("bus", broken)
    health.add_degradation("stream", lambda: "no event could be published for 31 s (TimeoutError)")

    assert (await ask(health, "/readyz")).status_code == 503


async def test_hanging_dependency_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """A readiness request is answered within its deadline although a dependency hangs (FD-02)."""
    monkeypatch.setattr(health_module, "CHECK_SECONDS", 0.01)
    health = Health()
    health.add("mongo", hanging)

    async with asyncio.timeout(HANGS):
        assert await health.state() == {"mongo": "does not respond"}


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (NotReady("no lease"), "no lease"),
        (UNAVAILABLE.error(asked="users"), "not available"),
        (INVALID_INPUT.error(), f"{INVALID_INPUT.id}: {INVALID_INPUT.text}"),
        (OSError("/a/secret/path"), "OSError"),
    ],
)
async def test_reason_is_plain_and_public(error: Exception, reason: str) -> None:
    """Known errors are shown in words; an unknown one, whose text may be secret, by its name."""

    async def check() -> None:
        raise error

    health = Health()
    health.add("users", check)

    assert await health.state() == {"users": reason}


class Counted:
    """A dependency that counts how often it is asked, and fails once `failing` is set."""

    def __init__(self) -> None:
        self.asked = 0
        self.failing = False

    async def check(self) -> None:
        self.asked += 1
        if self.failing:
            raise ConnectionError


async def test_good_state_is_remembered_for_two_seconds() -> None:
    """Gateway, bus and operator ask several times a second, and the stores are asked once in two seconds."""
    clock, mongo = FrozenClock(), Counted()
    health = Health(clock.now)
    health.add("mongo", mongo.check)
    states = [await health.state(), await health.state()]
    clock.tick(1.9)
    ready = await health.is_ready_but_for("bus")
    remembered = mongo.asked
    mongo.failing = True
    clock.tick(0.1)

    assert (states, ready, remembered) == ([{"mongo": "ok"}] * 2, True, 1)
    assert await health.state() == {"mongo": "does not respond"}


async def test_service_is_asked_less_often_while_it_is_not_used() -> None:
    """The stores are asked meanwhile; the first request, or a failure, ends it."""
    clock, mongo, users = FrozenClock(), Counted(), Counted()
    health = Health(clock.now)
    health.add("mongo", mongo.check)
    health.add("users", users.check, remembered=UNUSED_SECONDS)
    await health.state()
    clock.tick(UNUSED_SECONDS - 0.1)
    await health.state()
    meanwhile = (mongo.asked, users.asked)
    note_request()
    await health.state()
    used = users.asked
    note_failure()
    await health.state()

    assert (meanwhile, used, users.asked) == ((2, 1), 2, 3)


async def test_failed_request_ends_a_remembered_state() -> None:
    """A replica that loses a store is not ready as soon as a request fails, and not again by what it remembers (FD-02)."""
    mongo, calls = Counted(), Counted()
    health = Health(FrozenClock().now)
    health.add("mongo", mongo.check)
    await health.state()
    mongo.failing = True
    with noting_failures(lambda: setattr(calls, "asked", calls.asked + 1)):
        note_failure()
    note_failure()

    seen = [await health.state(), await health.state()]

    assert calls.asked == 1
    assert seen == [{"mongo": "does not respond"}] * 2


async def held_check(health: Health) -> asyncio.Task[httpx.Response]:
    """Begins the check of a gateway that knows the replica as ready; returns once it is held, or answered."""
    check = asyncio.create_task(ask(health, "/readyz", **{"X-Haproxy-Server-State": "UP; name=users/users-1"}))
    async with asyncio.timeout(HANGS):
        while not _Failures.listeners and not check.done():  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0)
    return check


async def test_check_of_a_gateway_that_knows_is_answered_at_the_first_failure() -> None:
    """A replica that is not ready is skipped at once, and at rest there are few checks (decision 0089)."""
    mongo = Counted()
    health = Health()
    health.add("mongo", mongo.check)
    check = await held_check(health)
    mongo.failing = True
    note_failure()

    assert (await check).status_code == 503


async def test_held_check_is_answered_when_another_look_fails() -> None:
    """The gateway learns at once of a loss that only the bus notices, too."""
    mongo, clock = Counted(), FrozenClock()
    health = Health(clock.now)
    health.add("mongo", mongo.check)
    check = await held_check(health)
    mongo.failing = True
    clock.tick(3)
    await health.state()

    assert (await check).status_code == 503


async def test_bad_state_is_not_remembered() -> None:
    mongo = Counted()
    mongo.failing = True
    health = Health(FrozenClock().now)
    health.add("mongo", mongo.check)
    before = await health.state()
    mongo.failing = False

    assert (before, await health.state()) == ({"mongo": "does not respond"}, {"mongo": "ok"})


async def test_simultaneous_looks_share_one_answer() -> None:
    mongo = Counted()
    mongo.failing = True
    health = Health(FrozenClock().now)
    health.add("mongo", mongo.check)
    await asyncio.gather(*(health.state() for _ in range(5)))

    assert mongo.asked == 1


async def test_liveness_ignores_dependencies() -> None:
    health = Health()
    health.add("mongo", broken)

    assert (await ask(health, "/healthz")).status_code == 200
    assert b"python_info" in (await ask(health, "/metrics")).content


class Recorded:
    def __init__(self, name: str, log: list[str]) -> None:
        self._name = name
        self._log = log

    async def start(self) -> None:
        self._log.append(f"start {self._name}")

    async def close(self) -> None:
        self._log.append(f"close {self._name}")


async def test_parts_start_in_order_and_close_in_reverse() -> None:
    """A part starts after its dependencies and closes before them (FD-12)."""
    log: list[str] = []
    async with lifespan([Recorded("store", log), Recorded("bus", log)])(None):
        log.append("serve")

    assert log == ["start store", "start bus", "serve", "close bus", "close store"]
