from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import hiredis
import pytest
from portico_runtime.redis.nodes.connection import Connection
from redis._parsers.hiredis import NOT_ENOUGH_DATA
from redis.exceptions import ConnectionError as ConnectionEnded
from redis.exceptions import InvalidResponse, RedisError, ResponseError


class Transport:
    """Keeps what is written; an aborted one ends its protocol as those of asyncio do."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.aborted = False
        self.protocol: asyncio.Protocol = asyncio.Protocol()

    def set_protocol(self, protocol: asyncio.Protocol) -> None:
        self.protocol = protocol

    def writelines(self, data: list[bytes]) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return self.aborted

    def abort(self) -> None:
        self.aborted = True


@pytest.fixture
def transport() -> Transport:
    return Transport()


@pytest.fixture
def connection(transport: Transport) -> Connection:
    reader = hiredis.Reader(
        protocolError=InvalidResponse, replyError=ResponseError, notEnoughData=NOT_ENOUGH_DATA, encoding="utf-8"
    )
    opened = SimpleNamespace(_parser=SimpleNamespace(_reader=reader), _writer=SimpleNamespace(transport=transport))
    return Connection(cast("Any", opened))


async def sent(connection: Connection, *commands: bytes) -> asyncio.Task[list[Any]]:
    """A pipeline that waits for its replies."""
    task = asyncio.create_task(connection.send(commands))
    await asyncio.sleep(0)
    return task


async def test_replies_arrive_in_any_portions(connection: Connection, transport: Transport) -> None:
    """A pipeline gets one reply for each command, refusals included, wherever the packets end."""
    replies = await sent(connection, b"one", b"two", b"three")
    for byte in b"+first\r\n-ERR refused\r\n:3\r\n":
        connection.data_received(bytes([byte]))

    first, refused, third = await replies
    assert (transport.written, first, third) == ([b"one", b"two", b"three"], "first", 3)
    assert isinstance(refused, RedisError)


async def test_one_refused_command_raises(connection: Connection) -> None:
    """The refusal of a single command is an error."""
    asking = asyncio.create_task(connection.ask(b"one"))
    await asyncio.sleep(0)
    connection.data_received(b"-ERR refused\r\n")

    with pytest.raises(ResponseError, match="refused"):
        await asking


async def test_a_lost_connection_ends_its_pipeline(connection: Connection) -> None:
    """A pipeline with a reply missing fails when Redis closes the connection, and so does the next one at once."""
    replies = await sent(connection, b"one", b"two")
    connection.data_received(b"+first\r\n")
    connection.connection_lost(None)

    with pytest.raises(ConnectionEnded):
        await replies
    with pytest.raises(ConnectionEnded):
        await connection.send([b"three"])
    assert not connection.is_usable


async def test_other_protocols_end_the_connection(connection: Connection, transport: Transport) -> None:
    """A response in another protocol than that of Redis fails the pipeline and closes the connection."""
    replies = await sent(connection, b"one")
    connection.data_received(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    with pytest.raises(InvalidResponse):
        await replies
    assert transport.aborted


@pytest.mark.parametrize("data", [b"-ERR max number of clients reached\r\n", b"+half a rep"])
async def test_unrequested_data_makes_it_unusable(connection: Connection, data: bytes) -> None:
    """A reply that belongs to no command must not become the reply to the next one."""
    assert connection.is_usable
    connection.data_received(data)

    assert not connection.is_usable
