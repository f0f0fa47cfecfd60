from __future__ import annotations

import base64
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from email.message import EmailMessage as MimeMessage
from functools import partial
from typing import Any, TypeVar
from unittest.mock import patch
from weakref import WeakSet

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.types import PublicKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from portico_contracts.subjects import Rpc
from portico_contracts.users import (
    GET_CLIENT,
    GET_SERVICE_USER,
    REGISTER,
    VERIFY_EMAIL,
    VERIFY_PASSWORD,
    Applied,
    Change,
    Client,
    EmailCodeSent,
    GetClient,
    GetServiceUser,
    PasswordVerified,
    Register,
    ServiceUser,
    User,
    VerifyEmail,
    VerifyPassword,
)
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_versions import MemoryVersions
from portico_fakes.scim_server import ScimServer
from portico_harness.declared import apply_to
from portico_harness.eventually import HANGS
from portico_harness.servers import RunningMongo
from portico_oauth.opaque import RandomBytes
from portico_runtime.mongo.client import MongoClient
from portico_runtime.process.background import Background
from portico_users.assembly.externals import Externals
from portico_users.assembly.service import Service
from portico_users.credentials.passwords.hashing import HashingPool
from portico_users.notifications.email import dispatcher
from portico_users.notifications.email.dispatcher import EmailDispatcher
from portico_users.settings import Settings
from portico_users.storage.schema import Schema
from pydantic import SecretStr
from pymongo import MongoClient as SyncMongoClient

from .copied_documents import AdminClient, WriteOnce, write_once
from .outside import FakeProviders, FakeWeb, Mailbox, OldSystem, RecordedPosts

AnyRequest = TypeVar("AnyRequest", bound=msgspec.Struct)
AnyReply = TypeVar("AnyReply", bound=msgspec.Struct)

PASSWORD = "correct horse battery"
MASTER_KEY = base64.b64encode(bytes(range(32))).decode()


def text_of(message: MimeMessage) -> str:
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def code_in(message: MimeMessage) -> str:
    found = re.search(r"^ {4}([A-Z2-9]{6})$", text_of(message), re.MULTILINE)
    assert found is not None
    return found[1]


def pem_of(key: PublicKeyTypes) -> str:
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


class UsersWorld:
    """A running service. `tag` separates the objects of tests, which share a database."""

    def __init__(self, service: Service, parts: Externals, bus: MemoryBus, clock: FrozenClock, kept: Mailbox) -> None:
        self.service = service
        self.parts = parts
        self.bus = bus
        self.clock = clock
        self.kept = kept
        self.tag = secrets.token_hex(4)
        self.password = PASSWORD

    @property
    def web(self) -> FakeWeb:
        assert isinstance(self.parts.outbound, FakeWeb)
        return self.parts.outbound

    @property
    def providers(self) -> FakeProviders:
        assert isinstance(self.parts.providers, FakeProviders)
        return self.parts.providers

    @property
    def posts(self) -> RecordedPosts:
        assert isinstance(self.parts.post, RecordedPosts)
        return self.parts.post

    @property
    def scim_server(self) -> ScimServer:
        assert isinstance(self.parts.scim, ScimServer)
        return self.parts.scim

    @property
    def old_system(self) -> OldSystem:
        assert isinstance(self.parts.hook, OldSystem)
        return self.parts.hook

    @property
    def user_name(self) -> str:
        return f"alice-{self.tag}"

    def app(self, **members: Any) -> dict[str, Any]:
        return {"name": "shop", "clientId": f"shop-{self.tag}", "redirectUris": ["https://shop.example/cb"], **members}

    def api_app(self, **members: Any) -> dict[str, Any]:
        return {"name": "orders", "clientId": f"orders-{self.tag}", **members}

    def human(self, **members: Any) -> dict[str, Any]:
        return {
            "username": self.user_name,
            "profile": {"firstName": "Alice", "lastName": "Adams"},
            "email": {"email": f"alice-{self.tag}@mail.example", "isVerified": True},
            "password": {"password": PASSWORD},
            **members,
        }

    def robot(self, **members: Any) -> dict[str, Any]:
        id = f"robot-{self.tag}"
        return {"id": id, "username": id, "name": "Robot", **members}

    def key(self, **members: Any) -> dict[str, Any]:
        return {"publicKey": pem_of(ec.generate_private_key(ec.SECP256R1()).public_key()), **members}

    def organization(self, **members: Any) -> dict[str, Any]:
        parts = {"projects": [{"name": "web", "oidcApps": [self.app()]}], "humans": [self.human()]}
        return {"name": f"Acme {self.tag}", **parts, **members}

    def only_apps(self, *, oidc: Any = (), api: Any = ()) -> dict[str, Any]:
        project = {"id": f"p-{self.tag}", "name": "web", "oidcApps": list(oidc), "apiApps": list(api)}
        return self.organization(projects=[project], humans=[])

    def moment(self, seconds: float) -> str:
        return datetime.fromtimestamp(self.clock.now() + seconds, UTC).isoformat()

    async def apply(self, *organizations: dict[str, Any], check: bool = False) -> Applied:
        return await self.apply_document({"organizations": list(organizations) or [self.organization()]}, check=check)

    async def apply_document(self, wanted: dict[str, Any], *, check: bool = False, prune: bool = False) -> Applied:
        return await apply_to(self.bus, wanted, check=check, prune=prune)

    async def apply_robot(self, **members: Any) -> Change:
        applied = await self.apply(self.organization(projects=[], humans=[], serviceUsers=[self.robot(**members)]))
        return applied.changes[-1]

    async def client(self, client_id: str) -> Client:
        found = (await self.call(GET_CLIENT, GetClient(client_id=client_id))).client
        assert found is not None
        return found

    async def service_user(self, client_id: str) -> ServiceUser | None:
        return (await self.call(GET_SERVICE_USER, GetServiceUser(client_id=client_id))).service_user

    async def try_password(self, login_name: str, password: str) -> PasswordVerified:
        return await self.call(VERIFY_PASSWORD, VerifyPassword(login_name=login_name, password=password, org_id=""))

    @property
    def org_id(self) -> str:
        return f"org-{self.tag}"

    async def home(self, *, humans: Any = (), **members: Any) -> None:
        policy = {"mayRegister": True}
        await self.apply(
            self.organization(**{"id": self.org_id, "projects": [], "loginPolicy": policy, "humans": humans, **members})
        )

    def mail(self, name: str = "eve") -> str:
        return f"{name}-{self.tag}@mail.example"

    async def register(self, mail: str, **members: Any) -> EmailCodeSent:
        entered = {
            "first_name": "Eve",
            "last_name": "Example",
            "password": PASSWORD,
            "org_id": self.org_id,
            "sender": "",
        }
        return await self.call(REGISTER, Register(**{"email": mail, **entered, **members}))

    async def verify(self, challenge: str, code: str) -> User | None:
        return (await self.call(VERIFY_EMAIL, VerifyEmail(challenge=challenge, code=code))).user

    async def mails_to(self, mail: str) -> list[MimeMessage]:
        with patch.object(dispatcher, "AT_ONCE", 1):  # emails arrive in the order of the queue
            await self.service.find(EmailDispatcher).send_due()
        return [message for message in self.kept.taken if str(message["To"]) == mail]

    async def newest_code(self, mail: str) -> str:
        return code_in((await self.mails_to(mail))[-1])

    async def call(self, rpc: Rpc[AnyRequest, AnyReply], message: AnyRequest) -> AnyReply:
        return await self.bus.call(rpc, message)

    async def rows(self, collection: str, **question: Any) -> list[dict[str, Any]]:
        return await self.parts.mongo.database[collection].find(question).to_list(None)


@pytest.fixture(scope="session")
async def users_mongo(mongo_server: RunningMongo) -> AsyncIterator[MongoClient]:
    client = MongoClient(mongo_server.section("users", timeout=HANGS), "users")
    yield client
    await client.close()


@pytest.fixture(scope="session")
def mongo_admin(mongo_server: RunningMongo) -> Iterator[AdminClient]:
    password = mongo_server.password("operator")
    client: AdminClient = SyncMongoClient(mongo_server.url, username="operator", password=password)
    with client:
        yield client


@pytest.fixture
def copy(users_mongo: MongoClient, mongo_admin: AdminClient) -> WriteOnce:
    """Applies what many tests need, for the first test, and writes copies for later ones."""
    return partial(write_once, mongo_admin, users_mongo.database)


_INDEXED: WeakSet[MongoClient] = WeakSet()
"""Databases with indexes already created by a service of this process."""


async def find_indexes(stack: AsyncExitStack, service: Service, mongo: MongoClient) -> None:
    """Waits for the indexes, which the first service on a database creates."""
    schema = service.find(Schema)
    if mongo in _INDEXED:
        schema._ready.set()
        return
    indexing = Background("indexes", schema.create)
    await indexing.start()
    stack.push_async_callback(indexing.close)
    await schema.wait()
    _INDEXED.add(mongo)


async def start_service(
    stack: AsyncExitStack,
    settings: Settings,
    clock: FrozenClock,
    mongo: MongoClient,
    random: RandomBytes = secrets.token_bytes,
    versions: MemoryVersions | None = None,
) -> UsersWorld:
    """Starts a replica with its own bus and without the background relay."""
    bus, kept, web = MemoryBus(), Mailbox(), FakeWeb()
    parts = Externals(
        *(mongo, bus, clock, random, versions or MemoryVersions(clock)),
        transport=kept,
        outbound=web,
        names=web,
        post=RecordedPosts(),
        providers=FakeProviders(),
        hook=OldSystem(),
        scim=ScimServer(),
    )
    service = Service(settings, parts)
    service.messages.answer_on(bus)
    await find_indexes(stack, service, mongo)
    await service.find(HashingPool).start()
    stack.push_async_callback(service.find(HashingPool).close)
    return UsersWorld(service, parts, bus, clock, kept)


Replica = Callable[..., Awaitable[UsersWorld]]


@pytest.fixture
async def new_replica(clock: FrozenClock, cheap_hashing: Settings) -> AsyncIterator[Replica]:
    """Starts replicas with the test's own database and source of randomness."""
    async with AsyncExitStack() as stack:
        yield partial(start_service, stack, cheap_hashing, clock)


@pytest.fixture(scope="session")
def cheap_hashing() -> Settings:
    """Settings with fast hashes and a large queue."""
    return Settings(
        argon2_memory_kib=8,
        argon2_passes=1,
        hashing_workers=2,
        hashing_queue=1_000,
        master_keys=SecretStr(MASTER_KEY),
        smtp_host="mail.example",
        smtp_from="Portico <portico@id.example>",
    )


@pytest.fixture
async def users_world(
    users_mongo: MongoClient, clock: FrozenClock, cheap_hashing: Settings
) -> AsyncIterator[UsersWorld]:
    async with AsyncExitStack() as stack:
        yield await start_service(stack, cheap_hashing, clock, users_mongo)
    # Reset requirements of organizations, which would restrict the instance's policy in other tests.
    demands = [{"loginRules.forceMfa": True}, {"loginRules.secondFactors": []}, {"loginRules.multiFactors": []}]
    await users_mongo.database["orgs"].update_many({"$or": demands}, {"$unset": {"loginRules": ""}})


@pytest.fixture
async def other_replica(
    users_mongo: MongoClient, clock: FrozenClock, cheap_hashing: Settings
) -> AsyncIterator[UsersWorld]:
    async with AsyncExitStack() as stack:
        yield await start_service(stack, cheap_hashing, clock, users_mongo)
