"""Tests of unready replicas over a real NATS: they get requests only if no replica is ready (decision 0080,
FD-02, FD-12).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

import nats.errors
import pytest
from portico_contracts.keys import ACTIVE_KEYS, PUBLIC_KEYS, GetPublicKeys, PublicKeys
from portico_harness.eventually import HANGS, eventually
from portico_harness.open_bus import open_bus, wait_until_connected
from portico_harness.servers import RunningNats
from portico_oauth.errors import ServiceError
from portico_runtime.bus.nats_bus import NatsBus
from portico_runtime.process.health import Health

pytestmark = pytest.mark.servers


@dataclass
class Replica:
    """A replica of keys whose store can be made unavailable."""

    name: str
    bus: NatsBus
    health: Health = field(default_factory=Health)
    has_store: bool = True
    answered: int = 0

    def __post_init__(self) -> None:
        self.health.add("store", self.check)
        self.bus.respond(PUBLIC_KEYS, self.answer)
        self.bus.watch(self.health)

    async def check(self) -> None:
        if not self.has_store:
            raise ConnectionError

    async def answer(self, _ask: GetPublicKeys) -> PublicKeys:
        """Returns the name of the replica."""
        self.answered += 1
        return PublicKeys(jwks=({"by": self.name},))


@pytest.fixture
async def replicas(nats_server: RunningNats) -> AsyncIterator[tuple[Replica, Replica]]:
    one, other = (Replica(name, nats_server.bus("keys")) for name in ("one", "other"))
    for replica in (one, other):
        await replica.bus.start()
        await wait_until_connected(replica.bus)
    yield one, other
    for replica in (one, other):
        await replica.bus.close()


async def answering(token: NatsBus) -> set[str]:
    """Returns the replicas that answer fifty requests."""
    replies = await asyncio.gather(*(token.call(PUBLIC_KEYS, GetPublicKeys()) for _ in range(50)))
    return {str(reply.jwks[0]["by"]) for reply in replies}


def answered_by(token: NatsBus, names: set[str]) -> Callable[[], Awaitable[bool]]:
    async def is_answered() -> bool:
        try:
            return await answering(token) == names
        except ServiceError:  # on a busy machine the answer may come after its two seconds
            return False

    return is_answered


async def test_unready_replica_gets_no_requests(nats_server: RunningNats, replicas: tuple[Replica, Replica]) -> None:
    """A replica without its store gets no requests until the store is available again."""
    one, _other = replicas
    async with open_bus(nats_server, "token") as token:
        assert await eventually(answered_by(token, {"one", "other"}), bool)
        one.has_store = False
        passed_over = await eventually(answered_by(token, {"other"}), bool)
        one.has_store = True
        both_again = await eventually(answered_by(token, {"one", "other"}), bool)

    assert (passed_over, both_again) == (True, True)


async def test_replica_starting_without_its_store_is_a_fallback(
    nats_server: RunningNats,
) -> None:
    """From its start on it is not subscribed to the request's subject but answers at the second one."""
    alone = Replica("alone", nats_server.bus("keys"), has_store=False)
    await alone.bus.start()
    await wait_until_connected(alone.bus)
    async with open_bus(nats_server, "token") as token:
        with pytest.raises(nats.errors.NoRespondersError):
            await token._client.request(PUBLIC_KEYS.subject, b"{}", timeout=HANGS)
        answered = await answering(token)
    await alone.bus.close()

    assert answered == {"alone"}


async def test_started_replica_is_ready_once_requests_arrive(nats_server: RunningNats) -> None:
    """A rolling upgrade ends the other replica then, and an older caller knows no second subject (FD-12)."""
    late = Replica("late", nats_server.bus("keys"), has_store=False)
    await late.bus.start()
    await wait_until_connected(late.bus)
    async with open_bus(nats_server, "token") as token:
        late.has_store = True
        await eventually(lambda: late.health.is_ready_but_for("nothing"), bool)
        answered = await token._client.request(PUBLIC_KEYS.subject, b"{}", timeout=HANGS)
    await late.bus.close()

    assert answered.data


async def test_unready_replicas_are_used_if_none_is_ready(
    nats_server: RunningNats, replicas: tuple[Replica, Replica]
) -> None:
    """Requests that need no store are answered while the store is unavailable for all replicas."""
    async with open_bus(nats_server, "token") as token:
        for replica in replicas:
            replica.has_store = False

        async def none_at_the_subject() -> bool:
            try:
                await token._client.request(PUBLIC_KEYS.subject, b"{}", timeout=HANGS)
            except nats.errors.NoRespondersError:
                return True
            return False

        assert await eventually(none_at_the_subject, bool)
        assert await eventually(answered_by(token, {"one", "other"}), bool)


async def test_no_request_is_lost_while_readiness_changes(
    nats_server: RunningNats, replicas: tuple[Replica, Replica]
) -> None:
    """A request sent to a replica that becomes unready is answered by it (FD-12)."""
    one, _other = replicas
    ended = asyncio.Event()

    async with open_bus(nats_server, "token") as token:

        async def go_on_asking() -> None:
            while not ended.is_set():
                await token.call(PUBLIC_KEYS, GetPublicKeys())

        askers = [asyncio.create_task(go_on_asking()) for _ in range(16)]
        for has_store, names in ((False, {"other"}), (True, {"one", "other"})) * 2:
            one.has_store = has_store
            assert await eventually(answered_by(token, names), bool)
        ended.set()
        await asyncio.gather(*askers)

    assert one.answered > 0


async def test_unready_replica_stops_in_order(nats_server: RunningNats, replicas: tuple[Replica, Replica]) -> None:
    """No request is lost at its shutdown, and the other replica answers."""
    one, other = replicas
    async with open_bus(nats_server, "token") as token:
        one.has_store = False
        assert await eventually(answered_by(token, {"other"}), bool)
        await one.bus.close()
        other.has_store = False

        assert await eventually(answered_by(token, {"other"}), bool)


async def test_second_subject_has_the_same_permissions(
    nats_server: RunningNats, replicas: tuple[Replica, Replica]
) -> None:
    """A user without the permission for a request gets no answer at its second subject either (IN-05, IN-08)."""
    async with open_bus(nats_server, "token") as token, open_bus(nats_server, "authz") as authz:
        answer = await token._client.request(PUBLIC_KEYS.unready_subject, b"{}", timeout=HANGS)
        with pytest.raises(TimeoutError):
            await authz._client.request(ACTIVE_KEYS.unready_subject, b"{}", timeout=0.5)

    assert answer.headers is None
    assert b"jwks" in answer.data


async def test_unknown_subject_is_unavailable_at_once(
    nats_server: RunningNats, replicas: tuple[Replica, Replica]
) -> None:
    async with open_bus(nats_server, "token") as token:
        answer = await token._client.request(ACTIVE_KEYS.unready_subject, b"{}", timeout=HANGS)

    assert answer.headers is not None
    assert answer.headers["Nats-Service-Error-Code"] == "unavailable"
