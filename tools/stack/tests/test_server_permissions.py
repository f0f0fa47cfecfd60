"""Permissions of each service at the real Redis, MongoDB and NATS."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import nats.errors
import pytest
from nats.aio.client import Client
from nats.js.api import StreamConfig
from nats.js.errors import BadRequestError
from portico_contracts.catalogue import BUS_USERS, EVENTS, OPERATOR, RPCS, inbox_prefix
from portico_contracts.events import KEY_REVOKED, STREAM, USER_CHANGED
from portico_contracts.users import APPLY
from portico_harness.servers import RunningMongo, RunningNats, RunningRedis
from pymongo import AsyncMongoClient
from pymongo.errors import OperationFailure
from redis.asyncio import Redis
from redis.exceptions import AuthenticationError, NoPermissionError, ResponseError

pytestmark = pytest.mark.servers


def redis_as(server: RunningRedis, user: str) -> Redis:
    return Redis.from_url(server.url, username=user, password=server.password(user))


@pytest.mark.parametrize("user", ["authz", "token"])
async def test_redis_users_reach_their_own_keys(redis_server: RunningRedis, user: str) -> None:
    """A service reads, writes and runs scripts below its key prefix."""
    async with redis_as(redis_server, user) as client:
        await client.set(f"{user}:{{ab}}:permission", "1", ex=60)
        value = await client.eval("return redis.call('GETDEL', KEYS[1])", 1, f"{user}:{{ab}}:permission")

    assert value == b"1"


@pytest.mark.parametrize(("user", "other"), [("authz", "token"), ("token", "authz")])
async def test_redis_users_are_refused_foreign_keys(redis_server: RunningRedis, user: str, other: str) -> None:
    """Foreign keys are refused directly and in a script (IN-05)."""
    async with redis_as(redis_server, user) as client:
        with pytest.raises(NoPermissionError):
            await client.get(f"{other}:{{ab}}:x")
        with pytest.raises(NoPermissionError):
            await client.eval("return redis.call('GET', KEYS[1])", 1, f"{other}:{{ab}}:x")
        with pytest.raises(ResponseError, match=r"can't access|No permissions"):
            await client.eval(f"return redis.call('GET', '{other}:{{ab}}:x')", 0)


@pytest.mark.parametrize(
    "command",
    ["FLUSHALL", "KEYS *", "SCAN 0", "CONFIG GET *", "ACL LIST", "DEBUG SLEEP 0", "SHUTDOWN", "MONITOR", "RANDOMKEY",
     "SCRIPT FLUSH", "SAVE", "CLIENT LIST", "REPLICAOF NO ONE", "DBSIZE", "SELECT 1", "PUBLISH a b"],
)  # fmt: skip
async def test_redis_users_are_refused_dangerous_commands(redis_server: RunningRedis, command: str) -> None:
    """Commands that shut down, flush, configure or list are refused (IN-05)."""
    async with redis_as(redis_server, "authz") as client:
        # A newer Redis refuses DEBUG to all users with another message.
        with pytest.raises(ResponseError, match=r"permission|not allowed"):
            await client.execute_command(*command.split())  # type: ignore[no-untyped-call]


async def test_redis_refuses_unauthenticated_clients(redis_server: RunningRedis) -> None:
    """There is no default user, and another service's password is refused (IN-05)."""
    async with Redis.from_url(redis_server.url) as nobody:
        with pytest.raises(AuthenticationError):
            await nobody.ping()
    async with Redis.from_url(redis_server.url, username="authz", password=redis_server.password("token")) as impostor:
        with pytest.raises(AuthenticationError):
            await impostor.ping()


def mongo_as(server: RunningMongo, user: str | None) -> AsyncMongoClient[dict[str, Any]]:
    if user is None:
        return AsyncMongoClient(server.url)
    return AsyncMongoClient(
        server.url, username=user, password=server.password(user), authSource=f"portico_{user}"
    )  # fmt: skip


@pytest.mark.parametrize(("user", "other"), [("users", "keys"), ("keys", "users")])
async def test_mongo_users_own_one_database(mongo_server: RunningMongo, user: str, other: str) -> None:
    """A user reads and writes one database and no other, including the server's own (IN-05)."""
    async with mongo_as(mongo_server, user) as client:
        await client[f"portico_{user}"]["permission"].insert_one({"a": 1})
        for database in (f"portico_{other}", "admin", "local", "config"):
            with pytest.raises(OperationFailure):
                await client[database]["anything"].find_one({})
            with pytest.raises(OperationFailure):
                await client[database]["anything"].insert_one({"a": 1})
        with pytest.raises(OperationFailure):
            await client.admin.command("shutdown")
        with pytest.raises(OperationFailure):
            await client[f"portico_{user}"].command("createUser", "more", pwd="x", roles=[])


async def test_mongo_refuses_unauthenticated_clients(mongo_server: RunningMongo) -> None:
    """Clients without a name or with another service's password are refused (IN-05)."""
    async with mongo_as(mongo_server, None) as nobody:
        with pytest.raises(OperationFailure):
            await nobody["portico_users"]["humans"].find_one({})
    impostor: AsyncMongoClient[dict[str, Any]] = AsyncMongoClient(
        mongo_server.url, username="users", password=mongo_server.password("keys"), authSource="portico_users"
    )
    async with impostor:
        with pytest.raises(OperationFailure):
            await impostor["portico_users"]["humans"].find_one({})


class BusUser:
    def __init__(self, client: Client, refused: list[str]) -> None:
        self.client = client
        self._refused = refused

    async def is_refused(self) -> bool:
        # The library writes a flush's PING before buffered data; only the second one follows it.
        await self.client.flush()
        await self.client.flush()
        refused = bool(self._refused)
        self._refused.clear()
        return refused


@asynccontextmanager
async def bus_as(server: RunningNats, user: str) -> AsyncIterator[BusUser]:
    refused: list[str] = []

    async def note(error: Exception) -> None:
        refused.append(str(error))

    client = Client()
    await client.connect(
        server.url, user=user, password=server.password(user), inbox_prefix=inbox_prefix(user).encode(),
        error_cb=note, allow_reconnect=False,
    )  # fmt: skip
    try:
        yield BusUser(client, refused)
    finally:
        await client.close()


@pytest.mark.parametrize("user", ["users", "keys"])
async def test_mongo_runs_no_scripts(mongo_server: RunningMongo, user: str) -> None:
    """Queries cannot run JavaScript in the server in any syntax (IN-05)."""
    scripts: list[dict[str, Any]] = [
        {"$where": "sleep(10) || true"},
        {"$expr": {"$function": {"body": "function() { return true }", "args": [], "lang": "js"}}},
    ]
    async with mongo_as(mongo_server, user) as client:
        rows = client[f"portico_{user}"]["scripts"]
        await rows.insert_one({"a": 1})
        for script in scripts:
            with pytest.raises(OperationFailure, match=r"(?i)javascript|scripting|no globalScriptEngine"):
                await rows.find_one(script)
        with pytest.raises(OperationFailure):
            await client[f"portico_{user}"].command(
                "mapReduce", "scripts", map="function() { emit(1, 1) }", reduce="function() { return 1 }",
                out={"inline": 1},
            )  # fmt: skip


@pytest.mark.parametrize("user", BUS_USERS)
async def test_bus_users_call_and_publish_by_the_catalogue_only(nats_server: RunningNats, user: str) -> None:
    """A bus user may publish only its subjects, which prevents forged events (IN-05, IN-08)."""
    allowed = {rpc.subject for rpc in RPCS if user in rpc.called_by}
    allowed |= {event.subject for event in EVENTS if event.published_by == user}
    everything = {rpc.subject for rpc in RPCS} | {event.subject for event in EVENTS}
    async with bus_as(nats_server, user) as bus:
        for subject in sorted(everything):
            await bus.client.publish(subject, b"{}")

            assert await bus.is_refused() == (subject not in allowed), subject


@pytest.mark.parametrize("user", BUS_USERS)
async def test_bus_users_receive_only_their_own_messages(nats_server: RunningNats, user: str) -> None:
    """No bus user receives another's requests or responses, or everything (IN-05)."""
    others = [other for other in BUS_USERS if other != user]
    foreign = [f"{inbox_prefix(other)}.>" for other in others]
    foreign += [rpc.subject for rpc in RPCS if rpc.owner != user] + [">", "*", "_INBOX.>", "$JS.>", "$SYS.>"]
    async with bus_as(nats_server, user) as bus:
        await bus.client.subscribe(f"{inbox_prefix(user)}.own")

        assert not await bus.is_refused()
        for subject in foreign:
            await bus.client.subscribe(subject)

            assert await bus.is_refused(), subject


@pytest.mark.parametrize("user", [user for user in BUS_USERS if user != OPERATOR])
async def test_services_cannot_change_the_stream(nats_server: RunningNats, user: str) -> None:
    """Purging, deleting and reading single messages are refused, as they would bypass permissions (IN-05)."""
    forbidden = [f"$JS.API.STREAM.{verb}.{STREAM}" for verb in ("PURGE", "DELETE", "UPDATE", "MSG.GET", "SNAPSHOT")]
    if user != "users":
        forbidden.append(f"$JS.API.STREAM.CREATE.{STREAM}")
    async with bus_as(nats_server, user) as bus:
        for subject in [
            *forbidden,
            f"$JS.API.DIRECT.GET.{STREAM}",
            "$JS.API.STREAM.CREATE.MINE",
            "$SYS.REQ.SERVER.PING",
        ]:
            await bus.client.publish(subject, b"{}")

            assert await bus.is_refused(), subject


async def test_creating_the_stream_does_not_change_an_existing_one(nats_server: RunningNats) -> None:
    """The permission of users to create a missing stream cannot reconfigure or delete an existing one (IN-05)."""
    async with bus_as(nats_server, OPERATOR) as operator, bus_as(nats_server, "users") as bus:
        before = (await operator.client.jetstream().stream_info(STREAM)).config
        with pytest.raises(BadRequestError):
            await bus.client.jetstream().add_stream(StreamConfig(name=STREAM, subjects=["events.>"], max_msgs=1))
        after = (await operator.client.jetstream().stream_info(STREAM)).config

    assert after == before


async def test_login_ui_has_no_bus_user(nats_server: RunningNats) -> None:
    """The bus has no user of that name, with any password (IN-05)."""
    client = Client()
    with pytest.raises(nats.errors.Error):
        await client.connect(
            nats_server.url, user="login-ui", password=nats_server.password("users"), allow_reconnect=False,
            error_cb=_ignore,
        )  # fmt: skip
    await client.close()


async def test_bus_refuses_unauthenticated_clients(nats_server: RunningNats) -> None:
    """The bus refuses clients without a name and clients with another user's password (IN-05)."""
    for user, password in ((None, None), ("users", nats_server.password("keys"))):
        client = Client()
        with pytest.raises(nats.errors.Error):
            await client.connect(nats_server.url, user=user, password=password, allow_reconnect=False, error_cb=_ignore)
        await client.close()


async def _ignore(_error: Exception) -> None:
    """The error is raised as well."""


async def test_forged_events_do_not_reach_the_stream(nats_server: RunningNats) -> None:
    """A compromised service cannot publish events of another one (IN-08)."""
    async with bus_as(nats_server, OPERATOR) as operator, bus_as(nats_server, "authz") as bus:
        before = (await operator.client.jetstream().stream_info(STREAM)).state.messages
        for event in (USER_CHANGED, KEY_REVOKED):
            await bus.client.publish(event.subject, b"{}")
        await bus.client.publish(APPLY.subject, b"{}")
        assert await bus.is_refused()
        after = (await operator.client.jetstream().stream_info(STREAM)).state.messages

    assert after == before
