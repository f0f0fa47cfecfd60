"""The service over a real MongoDB and a bus in memory, and documents to apply to it."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any, TypeVar

import msgspec
import pytest
from portico_contracts.apply import Document
from portico_contracts.subjects import Rpc
from portico_contracts.users import APPLY, VERIFY_PASSWORD, Applied, Apply, PasswordVerified, VerifyPassword
from portico_runtime.background import Background
from portico_runtime.mongo import MongoClient
from portico_testing.clock import FrozenClock
from portico_testing.memory_bus import MemoryBus
from portico_testing.servers import RunningMongo
from portico_users.app import Parts, Service
from portico_users.settings import Settings

AnyRequest = TypeVar("AnyRequest", bound=msgspec.Struct)
AnyReply = TypeVar("AnyReply", bound=msgspec.Struct)

PASSWORD = "correct horse battery"


class UsersWorld:
    """One running service. `tag` keeps the objects of tests apart: they share a database."""

    def __init__(self, service: Service, parts: Parts, bus: MemoryBus, clock: FrozenClock) -> None:
        self.service = service
        self.parts = parts
        self.bus = bus
        self.clock = clock
        self.tag = secrets.token_hex(4)
        self.password = PASSWORD

    @property
    def user_name(self) -> str:
        """The human every document of this test has."""
        return f"alice-{self.tag}"

    def app(self, **members: Any) -> dict[str, Any]:
        """An OIDC application of the document."""
        return {"name": "shop", "clientId": f"shop-{self.tag}", "redirectUris": ["https://shop.example/cb"], **members}

    def human(self, **members: Any) -> dict[str, Any]:
        """A human of the document, with a password and a verified address."""
        return {
            "username": self.user_name,
            "profile": {"firstName": "Alice", "lastName": "Adams"},
            "email": {"email": f"alice-{self.tag}@mail.example", "isVerified": True},
            "password": {"password": PASSWORD},
            **members,
        }

    def organization(self, **members: Any) -> dict[str, Any]:
        """An organization with one project, one app and one human."""
        parts = {"projects": [{"name": "web", "oidcApps": [self.app()]}], "humans": [self.human()]}
        return {"name": f"Acme {self.tag}", **parts, **members}

    async def apply(self, *organizations: dict[str, Any], check: bool = False) -> Applied:
        """Applies a document; without organizations the usual one."""
        wanted = {"organizations": list(organizations) or [self.organization()]}
        return await self.call(APPLY, Apply(document=msgspec.convert(wanted, Document), check=check))

    async def try_password(self, login_name: str, password: str) -> PasswordVerified:
        """Types a password."""
        return await self.call(VERIFY_PASSWORD, VerifyPassword(login_name=login_name, password=password))

    async def call(self, rpc: Rpc[AnyRequest, AnyReply], message: AnyRequest) -> AnyReply:
        """Asks over the bus."""
        return await self.bus.call(rpc, message)

    async def rows(self, collection: str, **question: Any) -> list[dict[str, Any]]:
        """What is stored, as it is stored."""
        return await self.parts.mongo.database[collection].find(question).to_list(None)


@pytest.fixture(scope="session")
async def users_mongo(mongo_server: RunningMongo) -> AsyncIterator[MongoClient]:
    """The database of users."""
    client = MongoClient(mongo_server.section("users"), "users")
    yield client
    await client.close()


async def start_service(
    stack: AsyncExitStack, settings: Settings, mongo: MongoClient, clock: FrozenClock
) -> UsersWorld:
    """Starts one replica with a bus of its own, without the relay in the background."""
    bus = MemoryBus()
    parts = Parts(mongo=mongo, bus=bus, clock=clock, random=secrets.token_bytes)
    service = Service(settings, parts)
    service.messages.answer_on(bus)
    indexing = Background("indexes", service.schema.create)
    await indexing.start()
    stack.push_async_callback(indexing.close)
    await service.pool.start()
    stack.push_async_callback(service.pool.close)
    await service.schema.wait()
    return UsersWorld(service, parts, bus, clock)


@pytest.fixture
def cheap_hashing() -> Settings:
    """Settings whose hashes take no time, with room for everybody."""
    return Settings(argon2_memory_kib=8, argon2_passes=1, hashing_workers=2, hashing_queue=1_000)


@pytest.fixture
async def users_world(
    users_mongo: MongoClient, clock: FrozenClock, cheap_hashing: Settings
) -> AsyncIterator[UsersWorld]:
    """A running service."""
    async with AsyncExitStack() as stack:
        yield await start_service(stack, cheap_hashing, users_mongo, clock)


@pytest.fixture
async def other_replica(
    users_mongo: MongoClient, clock: FrozenClock, cheap_hashing: Settings
) -> AsyncIterator[UsersWorld]:
    """A second replica over the same database."""
    async with AsyncExitStack() as stack:
        yield await start_service(stack, cheap_hashing, users_mongo, clock)
