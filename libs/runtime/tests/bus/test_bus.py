from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

import msgspec
import pytest
from portico_contracts import context
from portico_contracts.events import KEY_PUBLISHED, STREAM, KeyEvent
from portico_contracts.keys import ACTIVE_KEYS, PUBLIC_KEYS, ActiveKeys, GetActiveKeys, GetPublicKeys, PublicKeys
from portico_contracts.token import REVOKE_SESSION, RevokeSession
from portico_harness.eventually import HANGS, eventually
from portico_harness.open_bus import wait_until_connected
from portico_harness.servers import RunningNats
from portico_oauth.errors import SERVER_ERROR, UNAVAILABLE, Kind, ServiceError
from portico_runtime.bus.nats_bus import NatsBus

pytestmark = pytest.mark.servers

SECRET = "mongodb://user:secret@host"
AnyRequest = TypeVar("AnyRequest", bound=msgspec.Struct)
AnyReply = TypeVar("AnyReply", bound=msgspec.Struct)
Handler = Callable[[GetPublicKeys], Awaitable[PublicKeys]]
Open = Callable[..., Awaitable[NatsBus]]


@pytest.fixture
async def open_bus(nats_server: RunningNats) -> AsyncIterator[Open]:
    """Opens buses of any user, answering PUBLIC_KEYS where a handler is given; closes them afterwards."""
    opened: list[NatsBus] = []

    async def open_as(user: str, answer: Handler | None = None) -> NatsBus:
        bus = nats_server.bus(user)
        if answer:
            bus.respond(PUBLIC_KEYS, answer)
        opened.append(bus)
        await bus.start()
        await wait_until_connected(bus)
        return bus

    yield open_as
    for bus in reversed(opened):
        await bus.close()


async def ask(bus: NatsBus, seconds: float = 2.0) -> PublicKeys:
    return await bus.call(PUBLIC_KEYS, GetPublicKeys(), seconds=seconds)


async def test_request_is_answered(open_bus: Open) -> None:
    async def answer(_ask: GetPublicKeys) -> PublicKeys:
        return PublicKeys(jwks=({"kid": "k1"},))

    await open_bus("keys", answer)

    assert (await ask(await open_bus("token"))).jwks == ({"kid": "k1"},)


async def test_replicas_share_the_requests(open_bus: Open) -> None:
    answered = {"a": 0, "b": 0}

    def replica(name: str) -> Handler:
        async def answer(_ask: GetPublicKeys) -> PublicKeys:
            answered[name] += 1
            return PublicKeys(jwks=({"by": name},))

        return answer

    await open_bus("keys", replica("a"))
    await open_bus("keys", replica("b"))
    token = await open_bus("token")

    async def both_answered() -> bool:
        await ask(token)
        return all(answered.values())

    await eventually(both_answered, bool)
    before = sum(answered.values())
    await asyncio.gather(*(token.call(PUBLIC_KEYS, GetPublicKeys()) for _ in range(50)))

    assert sum(answered.values()) == before + 50


async def test_replica_gets_requests_as_soon_as_it_is_ready(nats_server: RunningNats, open_bus: Open) -> None:
    """After a replica reports ready, a request must reach it at once, because a rolling restart continues then
    (FD-12).
    """

    async def answer(_ask: GetPublicKeys) -> PublicKeys:
        return PublicKeys(jwks=())

    token = await open_bus("token")
    for _ in range(20):
        beginning = nats_server.bus("keys")
        beginning.respond(PUBLIC_KEYS, answer)
        await beginning.start()
        await ready(beginning)
        await ask(token)
        await beginning.close()


async def ready(bus: NatsBus) -> None:
    """Returns in the same turn of the event loop in which the bus connects."""
    async with asyncio.timeout(HANGS):
        while True:
            try:
                return await bus.check()
            except ConnectionError:
                await asyncio.sleep(0)


async def test_error_keeps_kind_id_text_and_retry_after(open_bus: Open) -> None:
    """The requester raises the same error without its private fields (MG-19)."""

    async def refuse(_ask: GetPublicKeys) -> PublicKeys:
        # Private fields with names of log fields must not lose the response.
        raise ServiceError(
            Kind.TOO_MANY_REQUESTS, "KEYS-099", "Wait: é is not said.", retry_after=7, private={"subject": SECRET}
        )

    await open_bus("keys", refuse)
    with pytest.raises(ServiceError) as refused:
        await ask(await open_bus("token"))

    assert refused.value.kind is Kind.TOO_MANY_REQUESTS
    assert refused.value.id == "KEYS-099"
    assert refused.value.retry_after == 7
    assert SECRET not in repr(refused.value.private)


async def test_unknown_error_becomes_a_fault(open_bus: Open) -> None:
    """Nothing of an unexpected exception is sent over the bus."""

    async def crash(_ask: GetPublicKeys) -> PublicKeys:
        raise RuntimeError(SECRET)

    await open_bus("keys", crash)
    with pytest.raises(ServiceError) as refused:
        await ask(await open_bus("token"))

    assert (refused.value.kind, refused.value.id, refused.value.text) == (
        Kind.SERVER_ERROR,
        SERVER_ERROR.id,
        SERVER_ERROR.text,
    )


async def test_deadline_ends_the_request_on_both_sides(open_bus: Open) -> None:
    """The requester gets unavailable in time, and the responder is cancelled (FD-19)."""
    stopped = asyncio.Event()

    async def hang(_ask: GetPublicKeys) -> PublicKeys:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        raise AssertionError

    await open_bus("keys", hang)
    token = await open_bus("token")
    patient = asyncio.create_task(token.call(PUBLIC_KEYS, GetPublicKeys(), seconds=HANGS))
    with pytest.raises(ServiceError) as refused:
        await token.call(PUBLIC_KEYS, GetPublicKeys(), seconds=0.2)
    async with asyncio.timeout(HANGS / 2):
        await stopped.wait()
    waits_longer = not patient.done()
    patient.cancel()

    assert refused.value.kind is Kind.UNAVAILABLE
    assert waits_longer


async def test_missing_responder_is_unavailable(open_bus: Open) -> None:
    """A request without a responder fails at once with 503 (P2)."""
    users = await open_bus("users")

    with pytest.raises(ServiceError) as refused:
        await users.call(REVOKE_SESSION, RevokeSession(user_id="u", session_id="s"))
    assert (refused.value.kind, refused.value.id) == (Kind.UNAVAILABLE, UNAVAILABLE.id)
    assert refused.value.retry_after == 1


async def test_disconnected_bus_is_unavailable(nats_server: RunningNats) -> None:
    bus = NatsBus("nats://127.0.0.1:9", "token", "x")
    await bus.start()

    with pytest.raises(ServiceError):
        await bus.call(PUBLIC_KEYS, GetPublicKeys())
    with pytest.raises(ServiceError):
        await bus.publish(KEY_PUBLISHED, KeyEvent(event_id="e", kid="k", at=1.0), event_id="e")
    with pytest.raises(ConnectionError):
        await bus.check()
    await bus.close()


async def test_request_id_is_propagated(open_bus: Open) -> None:
    seen: list[str] = []

    async def answer(_ask: GetPublicKeys) -> PublicKeys:
        seen.append(context.REQUEST_ID.get())
        return PublicKeys(jwks=())

    await open_bus("keys", answer)
    token = await open_bus("token")
    context.REQUEST_ID.set("0123456789abcdef")
    await ask(token)

    assert set(seen) == {"0123456789abcdef"}


async def test_stopping_replica_answers_accepted_requests(nats_server: RunningNats, open_bus: Open) -> None:
    """A request during a restart is answered by this replica or another one (FD-12)."""

    async def answer(_ask: GetPublicKeys) -> PublicKeys:
        await asyncio.sleep(0)
        return PublicKeys(jwks=())

    await open_bus("keys", answer)
    token = await open_bus("token")
    await ask(token)
    ended = asyncio.Event()
    answered = Counter[int]()

    async def go_on_asking(number: int) -> None:
        while not ended.is_set():
            await token.call(PUBLIC_KEYS, GetPublicKeys())
            answered[number] += 1

    askers = [asyncio.create_task(go_on_asking(number)) for number in range(4)]
    for turn in range(24):
        ending = nats_server.bus("keys")
        ending.respond(PUBLIC_KEYS, answer)
        await ending.start()
        if turn < 20:  # it ends while it is still beginning
            await connected(ending, turns=turn)
        else:
            await ready(ending)
            await eventually(answered_more_than(answered, answered.total() + 20), bool)
        await ending.close()
    ended.set()
    await asyncio.gather(*askers)

    assert set(answered) == set(range(4))


async def connected(bus: NatsBus, *, turns: int) -> None:
    """Returns some turns of the event loop after connecting, while the bus subscribes."""
    async with asyncio.timeout(HANGS):
        while not bus._client.is_connected:  # noqa: ASYNC110  no event signals this
            await asyncio.sleep(0)
        for _ in range(turns):
            await asyncio.sleep(0)


def answered_more_than(answered: Counter[int], count: int) -> Callable[[], Awaitable[bool]]:
    async def more() -> bool:
        return answered.total() > count

    return more


async def test_user_may_send_only_its_own_requests(open_bus: Open) -> None:
    """The server refuses the request, whatever sender the message names (IN-05, IN-08)."""
    asked: list[GetActiveKeys] = []
    keys = await open_bus("keys", None)

    async def answer(request: GetActiveKeys) -> ActiveKeys:
        asked.append(request)
        return ActiveKeys(keys=(), lease=1.0)

    await keys.close()
    keys.respond(ACTIVE_KEYS, answer)
    await keys.start()
    await wait_until_connected(keys)
    token, authz = await open_bus("token"), await open_bus("authz")
    await token.call(ACTIVE_KEYS, GetActiveKeys(public_key=b"token"))

    with pytest.raises(ServiceError) as refused:
        await authz.call(ACTIVE_KEYS, GetActiveKeys(public_key=b"authz"), seconds=0.5)
    assert refused.value.kind is Kind.UNAVAILABLE
    assert [request.public_key for request in asked] == [b"token"]


async def test_event_reaches_every_replica(nats_server: RunningNats, open_bus: Open) -> None:
    received: dict[str, set[str]] = {"a": set(), "b": set()}
    listeners = {name: nats_server.bus("token") for name in received}
    for name, bus in listeners.items():

        async def receive(said: KeyEvent, name: str = name) -> None:
            received[name].add(said.kid)

        bus.subscribe(KEY_PUBLISHED, receive)
        await bus.start()
        await wait_until_connected(bus)
    keys = await open_bus("keys")

    async def both_received() -> bool:
        said = KeyEvent(event_id=secrets.token_hex(8), kid="k1", at=1.0)
        await keys.publish(KEY_PUBLISHED, said, event_id=said.event_id)
        return all("k1" in kids for kids in received.values())

    await eventually(both_received, bool)
    for bus in listeners.values():
        await bus.close()


async def test_event_is_stored_once(open_bus: Open) -> None:
    """Publishing again under one id, as an interrupted outbox does, stores nothing more (FD-05)."""
    keys = await open_bus("keys")
    said = KeyEvent(event_id=secrets.token_hex(8), kid="k1", at=1.0)
    await keys.publish(KEY_PUBLISHED, said, event_id=said.event_id)
    before = await stored(keys)
    await keys.publish(KEY_PUBLISHED, said, event_id=said.event_id)

    assert await stored(keys) == before


async def stored(bus: NatsBus) -> int:
    return (await bus._client.jetstream().stream_info(STREAM)).state.messages


async def test_service_cannot_publish_anothers_event(open_bus: Open) -> None:
    """A forged event is refused by the bus permissions (IN-08)."""
    authz = await open_bus("authz")

    with pytest.raises(ServiceError) as refused:
        await authz.publish(KEY_PUBLISHED, KeyEvent(event_id="forged", kid="k", at=1.0), event_id="forged")
    assert refused.value.kind is Kind.UNAVAILABLE
