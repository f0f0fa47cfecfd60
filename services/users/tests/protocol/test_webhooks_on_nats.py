"""Webhooks over real servers: two replicas, real outbound requests, real receivers."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import msgspec
import pytest
from portico_contracts.apply import Document
from portico_contracts.users import Apply
from portico_fakes.memory_versions import MemoryVersions
from portico_harness.eventually import eventually
from portico_harness.servers import RunningMongo, RunningNats
from portico_runtime.mongo.client import MongoClient
from portico_runtime.process.clock import SystemClock
from portico_users.app import _running
from portico_users.assembly.externals import Externals
from portico_users.assembly.service import Service
from portico_users.identity_providers.secrets import SecretSealer
from portico_users.journal.journal import Journal
from portico_users.settings import Settings
from portico_users.storage.schema import OUTBOX, Schema
from portico_users.webhooks.changes import put_webhook, remove_webhook, with_secret
from portico_users.webhooks.deliveries import Delivery, DeliveryState
from portico_users.webhooks.webhook import Webhook, new_secret
from pydantic import SecretStr
from standardwebhooks import Webhook as Verifier

pytestmark = [pytest.mark.servers, pytest.mark.long]

MASTER_KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
Reply = Callable[[str], Awaitable[bytes]]

OK = b"HTTP/1.1 204 No Content\r\n\r\n"
REFUSED = b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 4\r\n\r\nback"


async def fine(_body: str) -> bytes:
    return OK


@dataclass
class Receiver:
    reply: Reply = fine
    port: int = 0
    got: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/in"

    def about(self, object: str) -> list[str]:
        said = [json.loads(body)["data"] for body, _ in self.got]
        return [one["sequence"] for one in said if one["aggregateId"] == object]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head.splitlines())}
        body = (await reader.readexactly(int(headers["content-length"]))).decode()
        self.got.append((body, headers))
        writer.write(await self.reply(body))
        writer.close()


@asynccontextmanager
async def receiving(reply: Reply = fine) -> AsyncIterator[Receiver]:
    receiver = Receiver(reply)
    server = await asyncio.start_server(receiver.serve, "127.0.0.1", 0)
    receiver.port = server.sockets[0].getsockname()[1]
    async with server:
        yield receiver


class Replicas:
    def __init__(self, services: list[Service]) -> None:
        self.services = services
        self.tag = secrets.token_hex(4)
        self.org_id = f"org-{self.tag}"
        self.database = services[0].find(Externals).mongo.database

    async def change(self, name: str, *people: str) -> None:
        """Applies the organization with this name and users, first on one replica and then on the other."""
        humans = [
            {
                "id": f"{one}-{self.tag}",
                "username": f"{one}-{self.tag}",
                "profile": {"firstName": name, "lastName": "Adams"},
                "email": {"email": f"{one}-{self.tag}@mail.example"},
            }
            for one in people
        ]
        wanted = {"organizations": [{"id": self.org_id, "name": f"{name} {self.tag}", "humans": humans}]}
        self.services.reverse()
        document = msgspec.convert(wanted, Document)
        await self.services[0].messages.applier.apply(Apply(document=document))

    async def add(self, url: str, *types: str) -> tuple[Webhook, str]:
        service, secret = self.services[0], new_secret(secrets.token_bytes)
        id = f"hook-{secrets.token_hex(4)}"
        webhook = Webhook(id=id, org_id=self.org_id, name=id, url=url, event_types=types)
        allowed = frozenset({("127.0.0.1", urlsplit(url).port or 80)})
        entry = put_webhook(None, with_secret(webhook, secret, service.find(SecretSealer)), allowed)
        [stored] = await service.find(Journal).commit([entry])
        assert isinstance(stored, Webhook)
        return stored, secret

    async def deliveries(self, webhook: Webhook) -> list[Delivery]:
        rows = await self.database["webhookDeliveries"].find({"webhookId": webhook.id}).sort("at", 1).to_list(None)
        return [msgspec.convert(row, Delivery) for row in rows]

    async def until(self, webhook: Webhook, *states: DeliveryState) -> list[Delivery]:
        """Returns the log once its deliveries have exactly these states."""

        async def log() -> list[Delivery]:
            return await self.deliveries(webhook)

        found: list[Delivery] = await eventually(log, lambda log: sorted(one.state for one in log) == sorted(states))
        return found


Start = Callable[..., Awaitable[Replicas]]


@pytest.fixture
async def start(mongo_server: RunningMongo, nats_server: RunningNats) -> AsyncIterator[Start]:
    async with AsyncExitStack() as stack:

        async def begin(*receivers: Receiver, nats: RunningNats = nats_server) -> Replicas:
            settings = Settings(
                argon2_memory_kib=8,
                argon2_passes=1,
                master_keys=SecretStr(MASTER_KEY),
                outbound_allow=",".join(f"127.0.0.1:{receiver.port}" for receiver in receivers),
            )
            services = []
            for _ in range(2):
                parts = Externals(
                    mongo=MongoClient(mongo_server.section("users"), "users"),
                    bus=nats.bus("users"),
                    clock=SystemClock(),
                    random=secrets.token_bytes,
                    versions=MemoryVersions(SystemClock()),
                )
                service = Service(settings, parts)
                for part in _running(service, parts):
                    await part.start()
                    stack.push_async_callback(part.close)
                await service.find(Schema).wait()
                services.append(service)
            # Data of other tests would delay this one: frozen clocks, thousands of unconsumed events.
            for collection in ("leases", "webhookLanes", OUTBOX):
                await services[0].find(Externals).mongo.database[collection].delete_many({})
            replicas = Replicas(services)
            await replicas.change("Acme")
            return replicas

        yield begin


async def test_two_replicas_deliver_each_event_once_in_order(start: Start) -> None:
    """An independent library accepts every signature; a failed first attempt does not change the order (FD-05)."""
    failed: list[str] = []

    async def fail_once(body: str) -> bytes:
        if '"user.updated"' in body and not failed:
            failed.append(body)
            return REFUSED
        return OK

    async with receiving(fail_once) as receiver:
        replicas = await start(receiver)
        webhook, secret = await replicas.add(receiver.url, "user.*")
        for number in range(4):
            await replicas.change(f"Name {number}", "ada", "bob")
        deliveries = await replicas.until(webhook, *[DeliveryState.DELIVERED] * 8)
    ids = [headers["webhook-id"] for _, headers in receiver.got]
    verified = [Verifier(secret).verify(body, headers) for body, headers in receiver.got]
    failing = json.loads(failed[0])["data"]

    for name in ("ada", "bob"):
        numbers = list(dict.fromkeys(receiver.about(f"{name}-{replicas.tag}")))
        assert numbers == ["1", "2", "3", "4"]
    assert len(receiver.got) == 9
    assert {id for id in ids if ids.count(id) > 1} == {failing["id"]}
    assert {one["type"] for one in verified} == {"user.created", "user.updated"}
    assert sorted(len(one.log) for one in deliveries) == [1] * 7 + [2]


async def test_webhooks_are_delivered_after_a_bus_outage(start: Start, nats_server: RunningNats) -> None:
    """Changes made during the outage are delivered afterwards (FD-05)."""
    async with receiving() as receiver:
        replicas = await start(receiver)
        webhook, _ = await replicas.add(receiver.url, "org.updated")
        await replicas.change("Before")
        await replicas.until(webhook, DeliveryState.DELIVERED)
        nats_server.kill()
        await replicas.change("While")
        await replicas.change("After")
        await replicas.until(webhook, *[DeliveryState.DELIVERED] * 3)

    assert list(dict.fromkeys(receiver.about(replicas.org_id))) == ["2", "3", "4"]


async def test_webhooks_are_delivered_after_losing_the_stream(start: Start, fragile_nats: RunningNats) -> None:
    """Changes after the server lost its stream are delivered within a minute, in order (FD-05)."""
    async with receiving() as receiver:
        replicas = await start(receiver, nats=fragile_nats)
        webhook, _ = await replicas.add(receiver.url, "org.updated")
        await replicas.change("Before")
        await replicas.until(webhook, DeliveryState.DELIVERED)
        await asyncio.to_thread(fragile_nats.lose_store)
        await replicas.change("While")
        await replicas.change("After")
        await replicas.until(webhook, *[DeliveryState.DELIVERED] * 3)
        left = await eventually(lambda: replicas.database[OUTBOX].count_documents({}), (0).__eq__)

    assert list(dict.fromkeys(receiver.about(replicas.org_id))) == ["2", "3", "4"]
    assert left == 0


async def test_no_redirects_and_no_private_addresses(start: Start) -> None:
    """Neither a redirect target nor a forbidden address gets a connection (IP-03)."""
    async with receiving() as inside, receiving() as outside:

        async def point_inside(_body: str) -> bytes:
            return f"HTTP/1.1 307 Temporary Redirect\r\nLocation: {inside.url}\r\n\r\n".encode()

        outside.reply = point_inside
        replicas = await start(outside)
        redirected, _ = await replicas.add(outside.url, "org.updated")
        private, _ = await replicas.add(inside.url, "org.updated")
        await replicas.change("Renamed")

        async def causes() -> list[str]:
            log = [*await replicas.deliveries(redirected), *await replicas.deliveries(private)]
            return [attempt.cause for one in log for attempt in one.log[:1]]

        found = await eventually(causes, lambda causes: len(causes) == 2)

    assert found == ["status 307", "the URL does not use https"]
    assert inside.got == []
    assert len(outside.got) >= 1


async def test_hanging_receiver_delays_no_other(start: Start) -> None:
    """While one receiver never responds, the other gets its events (P8, FD-26)."""
    over = asyncio.Event()

    async def hang(_body: str) -> bytes:
        await over.wait()
        return OK

    async with receiving(hang) as hanging, receiving() as quick:
        replicas = await start(hanging, quick)
        slow, _ = await replicas.add(hanging.url, "org.updated")
        fast, _ = await replicas.add(quick.url, "org.updated")
        await replicas.change("Renamed")
        try:
            [delivered] = await replicas.until(fast, DeliveryState.DELIVERED)
            [waiting] = await replicas.deliveries(slow)
        finally:
            over.set()

    assert delivered.log[-1].status == 204
    assert waiting.log == ()


async def test_removed_webhook_gets_no_requests(start: Start) -> None:
    """Neither pending nor new events are sent to it (MG-04)."""

    async def refuse(_body: str) -> bytes:
        return REFUSED

    async with receiving(refuse) as receiver, receiving() as other:
        replicas = await start(receiver, other)
        removed, _ = await replicas.add(receiver.url, "org.updated")
        await replicas.change("Renamed")
        await eventually(lambda: replicas.deliveries(removed), lambda log: bool(log and log[0].log))
        await replicas.services[0].find(Journal).commit([remove_webhook(removed)])
        asked = len(receiver.got)
        witness, _ = await replicas.add(other.url, "org.updated")
        await replicas.change("Again")
        await replicas.until(witness, DeliveryState.DELIVERED)
        [left] = await replicas.until(removed, DeliveryState.WITHDRAWN)

    assert len(receiver.got) == asked
    assert left.type == "org.updated"
