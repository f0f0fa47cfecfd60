from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from portico_contracts import context
from portico_contracts.events import USER_CHANGED, WEBHOOKS, Changed
from portico_contracts.keys import PUBLIC_KEYS, GetPublicKeys, PublicKeys
from portico_contracts.subjects import Event
from portico_harness.collector import PARENT, Recorded, recording
from portico_harness.open_bus import open_bus, wait_until_connected
from portico_harness.servers import RunningMongo, RunningNats, RunningRedis
from portico_oauth.errors import INVALID_INPUT, ServiceError
from portico_runtime.mongo.client import MongoClient
from portico_runtime.redis.client import RedisClient

pytestmark = pytest.mark.servers

TRACE = PARENT.split("-")[1]


def attributes_of(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


def parent_of(span: ReadableSpan) -> str:
    """Returns the id of the parent span."""
    return f"{span.parent.span_id:016x}" if span.parent else ""


def id_of(span: ReadableSpan) -> str:
    return f"{span.context.span_id:016x}" if span.context else ""


async def ask_of(nats_server: RunningNats, answer: Callable[[GetPublicKeys], Awaitable[PublicKeys]]) -> None:
    answering = nats_server.bus("keys")
    answering.respond(PUBLIC_KEYS, answer)
    await answering.start()
    await wait_until_connected(answering)
    try:
        async with open_bus(nats_server, "token") as bus:
            await bus.call(PUBLIC_KEYS, GetPublicKeys(), seconds=2.0)
    finally:
        await answering.close()


async def test_bus_request_is_one_trace_on_both_sides(nats_server: RunningNats) -> None:
    """The responder's span is a child of the requester's span."""
    seen: list[str] = []

    async def answer(_message: GetPublicKeys) -> PublicKeys:
        seen.append(context.TRACE_PARENT.get())
        return PublicKeys(jwks=())

    with recording() as recorded:
        await ask_of(nats_server, answer)
    served, asked = recorded.ended()

    assert (served.name, served.kind.name, asked.kind.name) == (PUBLIC_KEYS.subject, "SERVER", "CLIENT")
    assert parent_of(served) == id_of(asked)
    assert seen == [f"00-{TRACE}-{id_of(served)}-01"]
    assert attributes_of(asked) == {"messaging.system": "nats", "messaging.destination.name": PUBLIC_KEYS.subject}


async def test_bus_error_has_its_id_on_the_span(nats_server: RunningNats) -> None:
    """The responder's span has the id of the error, and the requester's span has its class."""

    async def answer(_message: GetPublicKeys) -> PublicKeys:
        raise INVALID_INPUT.error(cause="a canary")

    with recording() as recorded, pytest.raises(ServiceError):
        await ask_of(nats_server, answer)
    by_kind = {span.kind.name: attributes_of(span) for span in recorded.ended()}

    assert by_kind["SERVER"]["portico.error_id"] == INVALID_INPUT.id
    assert by_kind["CLIENT"]["error.type"] == "ServiceError"
    assert "canary" not in str(by_kind)


async def test_event_handling_belongs_to_the_publishing_trace(nats_server: RunningNats) -> None:
    wanted = secrets.token_hex(8)
    changed = Changed(
        event_id=wanted, aggregate_id=wanted, org_id="o", sequence=1, at=0.0, actor="system", action="updated"
    )

    async def work(_event: Event[Any], _body: Any) -> None:
        pass

    with recording() as recorded:
        async with open_bus(nats_server, "users") as bus:
            await bus.publish(USER_CHANGED, changed, event_id=wanted)
            while not _of_kind(recorded, "CONSUMER"):
                assert await bus.consume(WEBHOOKS, work, seconds=5.0)
                # The loop that takes events continues; its next work does not belong to this trace.
                assert context.TRACE_PARENT.get() == PARENT
    [published], [worked] = _of_kind(recorded, "PRODUCER"), _of_kind(recorded, "CONSUMER")

    assert (published.name, worked.name) == (USER_CHANGED.subject, USER_CHANGED.subject)
    assert parent_of(worked) == id_of(published)


def _of_kind(recorded: Recorded, kind: str) -> list[ReadableSpan]:
    return [span for span in recorded.ended() if span.kind.name == kind]


async def test_commands_of_redis_show_their_names_only(redis_server: RunningRedis) -> None:
    """Spans of Redis contain neither keys nor values nor scripts (IN-09)."""
    redis = RedisClient(redis_server.section("authz"), "authz")
    write = redis.script("return redis.call('SET', KEYS[1], ARGV[1], 'EX', 60)")
    with recording() as recorded:
        await redis.run(write, ["authz:{00}:canary"], ["canary"])
        await redis.read("GET", "authz:{00}:canary")
        with pytest.raises(ServiceError):
            await redis.read("HGET", "authz:{00}:canary", "canary")
    await redis.close()

    names = recorded.names()
    assert (names[-3:-1], names[-1]) in ((["EVALSHA", "GET"], "HGET"), (["EVAL", "GET"], "HGET"))
    assert attributes_of(recorded.ended()[-2]) == {"db.system.name": "redis", "db.operation.name": "GET"}
    assert attributes_of(recorded.ended()[-1])["error.type"] == "ServiceError"
    assert "canary" not in str([span.to_json() for span in recorded.ended()])


async def test_commands_of_mongodb_show_their_collections_only(mongo_server: RunningMongo) -> None:
    """Spans of MongoDB contain neither filters nor documents and belong to the calling work (IN-09)."""
    name = f"spans_{secrets.token_hex(4)}"
    with recording() as recorded:
        mongo = MongoClient(mongo_server.section("users"), "users")
        await mongo.database[name].insert_one({"_id": "canary", "value": "canary"})
        found = await mongo.database[name].find_one({"value": "canary"})
        await mongo.database.drop_collection(name)
    await mongo.close()
    inserted, asked, dropped = [span for span in recorded.ended() if not span.name.startswith("sasl")]

    assert found == {"_id": "canary", "value": "canary"}
    assert [inserted.name, asked.name, dropped.name] == [f"insert {name}", f"find {name}", f"drop {name}"]
    assert attributes_of(asked) == {
        "db.system.name": "mongodb",
        "db.namespace": "portico_users",
        "db.operation.name": "find",
        "db.collection.name": name,
    }
    assert {f"{span.context.trace_id:032x}" for span in recorded.ended() if span.context} == {TRACE}
    assert "canary" not in str([span.to_json() for span in recorded.ended()])


async def test_refused_mongodb_command_has_its_error_name(mongo_server: RunningMongo) -> None:
    """The span has the name of the error but not its text, which repeats the query."""
    with recording() as recorded:
        mongo = MongoClient(mongo_server.section("users"), "users")
        with pytest.raises(Exception, match="canary"):
            await mongo.database.command("canary")
    await mongo.close()

    assert attributes_of(recorded.ended()[-1])["error.type"] == "CommandNotFound"


async def test_background_work_has_no_spans(redis_server: RunningRedis, mongo_server: RunningMongo) -> None:
    with recording("") as recorded:
        redis = RedisClient(redis_server.section("authz"), "authz")
        mongo = MongoClient(mongo_server.section("users"), "users")
        await redis.time()
        await mongo.check()
        await redis.close()
        await mongo.close()

    assert recorded.ended() == []
