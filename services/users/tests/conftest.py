"""The service over a real MongoDB and a bus in memory, and documents to apply to it."""

from __future__ import annotations

import base64
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from email.message import EmailMessage as MimeMessage
from functools import partial
from typing import Any, TypeVar
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
from portico_harness.declared import apply_to
from portico_harness.servers import RunningMongo
from portico_oauth.opaque import RandomBytes
from portico_runtime.background import Background
from portico_runtime.mongo import MongoClient
from portico_users.credentials.passwords.hashing import HashingPool
from portico_users.kernel.schema import Schema
from portico_users.notifications.email.dispatcher import EmailDispatcher
from portico_users.settings import Settings
from portico_users.wiring.externals import Externals
from portico_users.wiring.service import Service
from pydantic import SecretStr

from .outside import FakeProviders, FakeWeb, Mailbox, RecordedPosts

AnyRequest = TypeVar("AnyRequest", bound=msgspec.Struct)
AnyReply = TypeVar("AnyReply", bound=msgspec.Struct)

PASSWORD = "correct horse battery"
MASTER_KEY = base64.b64encode(bytes(range(32))).decode()


def text_of(message: MimeMessage) -> str:
    """The plain text of an email."""
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def code_in(message: MimeMessage) -> str:
    """The code in an email."""
    found = re.search(r"^ {4}([A-Z2-9]{6})$", text_of(message), re.MULTILINE)
    assert found is not None
    return found[1]


def pem_of(key: PublicKeyTypes) -> str:
    """A public key as documents carry it."""
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


class UsersWorld:
    """One running service. `tag` keeps the objects of tests apart: they share a database."""

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
        """What domains show."""
        assert isinstance(self.parts.outbound, FakeWeb)
        return self.parts.outbound

    @property
    def providers(self) -> FakeProviders:
        """Other identity providers."""
        assert isinstance(self.parts.providers, FakeProviders)
        return self.parts.providers

    @property
    def posts(self) -> RecordedPosts:
        """What webhooks received."""
        assert isinstance(self.parts.post, RecordedPosts)
        return self.parts.post

    @property
    def user_name(self) -> str:
        """The human every document of this test has."""
        return f"alice-{self.tag}"

    def app(self, **members: Any) -> dict[str, Any]:
        """An OIDC application of the document."""
        return {"name": "shop", "clientId": f"shop-{self.tag}", "redirectUris": ["https://shop.example/cb"], **members}

    def api_app(self, **members: Any) -> dict[str, Any]:
        """An API application of the document."""
        return {"name": "orders", "clientId": f"orders-{self.tag}", **members}

    def human(self, **members: Any) -> dict[str, Any]:
        """A human of the document, with a password and a verified address."""
        return {
            "username": self.user_name,
            "profile": {"firstName": "Alice", "lastName": "Adams"},
            "email": {"email": f"alice-{self.tag}@mail.example", "isVerified": True},
            "password": {"password": PASSWORD},
            **members,
        }

    def robot(self, **members: Any) -> dict[str, Any]:
        """A service user of the document, with its id as user name."""
        id = f"robot-{self.tag}"
        return {"id": id, "username": id, "name": "Robot", **members}

    def key(self, **members: Any) -> dict[str, Any]:
        """A key of the document: a P-256 key of its own each time."""
        return {"publicKey": pem_of(ec.generate_private_key(ec.SECP256R1()).public_key()), **members}

    def organization(self, **members: Any) -> dict[str, Any]:
        """An organization with one project, one app and one human."""
        parts = {"projects": [{"name": "web", "oidcApps": [self.app()]}], "humans": [self.human()]}
        return {"name": f"Acme {self.tag}", **parts, **members}

    def only_apps(self, *, oidc: Any = (), api: Any = ()) -> dict[str, Any]:
        """The usual organization with one project and its applications, and without people."""
        project = {"id": f"p-{self.tag}", "name": "web", "oidcApps": list(oidc), "apiApps": list(api)}
        return self.organization(projects=[project], humans=[])

    def moment(self, seconds: float) -> str:
        """The time so many seconds from now, as documents write it."""
        return datetime.fromtimestamp(self.clock.now() + seconds, UTC).isoformat()

    async def apply(self, *organizations: dict[str, Any], check: bool = False) -> Applied:
        """Applies a document; without organizations the usual one."""
        return await self.apply_document({"organizations": list(organizations) or [self.organization()]}, check=check)

    async def apply_document(self, wanted: dict[str, Any], *, check: bool = False, prune: bool = False) -> Applied:
        """Applies a whole document; what could not be written is raised."""
        return await apply_to(self.bus, wanted, check=check, prune=prune)

    async def apply_robot(self, **members: Any) -> Change:
        """Applies the usual organization with nothing but its service user."""
        applied = await self.apply(self.organization(projects=[], humans=[], serviceUsers=[self.robot(**members)]))
        return applied.changes[-1]

    async def client(self, client_id: str) -> Client:
        """What is answered about an application that is there."""
        found = (await self.call(GET_CLIENT, GetClient(client_id=client_id))).client
        assert found is not None
        return found

    async def service_user(self, client_id: str) -> ServiceUser | None:
        """What is answered about a service user."""
        return (await self.call(GET_SERVICE_USER, GetServiceUser(client_id=client_id))).service_user

    async def try_password(self, login_name: str, password: str) -> PasswordVerified:
        """Types a password."""
        return await self.call(VERIFY_PASSWORD, VerifyPassword(login_name=login_name, password=password))

    @property
    def org_id(self) -> str:
        """The organization of `home`."""
        return f"org-{self.tag}"

    async def home(self, *, humans: Any = (), **members: Any) -> None:
        """An organization of this test with nothing but its people, whom everybody may join."""
        policy = {"mayRegister": True}
        await self.apply(
            self.organization(**{"id": self.org_id, "projects": [], "loginPolicy": policy, "humans": humans, **members})
        )

    def mail(self, name: str = "eve") -> str:
        """An address of this test."""
        return f"{name}-{self.tag}@mail.example"

    async def register(self, mail: str, **members: Any) -> EmailCodeSent:
        """Requests an account in the organization of `home`."""
        entered = {"first_name": "Eve", "last_name": "Example", "password": PASSWORD, "org_id": self.org_id}
        return await self.call(REGISTER, Register(**{"email": mail, **entered, **members}))

    async def verify(self, challenge: str, code: str) -> User | None:
        """Enters a code."""
        return (await self.call(VERIFY_EMAIL, VerifyEmail(challenge=challenge, code=code))).user

    async def mails_to(self, mail: str) -> list[MimeMessage]:
        """What was sent to an address so far, once everything that is due was carried."""
        await self.service.find(EmailDispatcher).send_due()
        return [message for message in self.kept.taken if str(message["To"]) == mail]

    async def newest_code(self, mail: str) -> str:
        """The code in the last email to an address."""
        return code_in((await self.mails_to(mail))[-1])

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


_INDEXED: WeakSet[MongoClient] = WeakSet()
"""Databases that a service of this process has already created its indexes in."""


async def find_indexes(stack: AsyncExitStack, service: Service, mongo: MongoClient) -> None:
    """Lets the service write: by the first service on a database, the indexes are created."""
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
    """Starts one replica with a bus of its own, without the relay in the background."""
    bus, kept, web = MemoryBus(), Mailbox(), FakeWeb()
    parts = Externals(
        *(mongo, bus, clock, random, versions or MemoryVersions(clock)),
        transport=kept,
        outbound=web,
        names=web,
        post=RecordedPosts(),
        providers=FakeProviders(),
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
    """Starts replicas over a database and a source of randomness of the test's own."""
    async with AsyncExitStack() as stack:
        yield partial(start_service, stack, cheap_hashing, clock)


@pytest.fixture
def cheap_hashing() -> Settings:
    """Settings whose hashes take no time, with room for everybody."""
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
    """A running service."""
    async with AsyncExitStack() as stack:
        yield await start_service(stack, cheap_hashing, clock, users_mongo)
    # What organizations demand would bind the instance in other tests.
    demands = [{"loginRules.forceMfa": True}, {"loginRules.secondFactors": []}, {"loginRules.multiFactors": []}]
    await users_mongo.database["orgs"].update_many({"$or": demands}, {"$unset": {"loginRules": ""}})


@pytest.fixture
async def other_replica(
    users_mongo: MongoClient, clock: FrozenClock, cheap_hashing: Settings
) -> AsyncIterator[UsersWorld]:
    """A second replica over the same database."""
    async with AsyncExitStack() as stack:
        yield await start_service(stack, cheap_hashing, clock, users_mongo)
