from __future__ import annotations

import asyncio
import secrets

import msgspec
import pytest
from portico_contracts.apply import Document
from portico_contracts.events import ORG_CHANGED, Changed
from portico_contracts.users import (
    APPLY,
    GET_SERVICE_USER,
    GET_USER,
    VERIFY_PASSWORD,
    Apply,
    GetServiceUser,
    GetUser,
    VerifyPassword,
)
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_versions import MemoryVersions
from portico_harness.asgi_life import alive
from portico_harness.eventually import HANGS, eventually
from portico_harness.servers import RunningMongo, RunningNats
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.opaque import fingerprint
from portico_runtime.bus.nats_bus import NatsBus
from portico_runtime.mongo.client import MongoClient
from portico_users.app import create_app
from portico_users.assembly.externals import Externals
from portico_users.settings import Settings

NEVER_READY = {"master-keys", "secrets", "bus"}
"""Other tests leave secrets under other master keys in this database, and the bus waits for the rest."""

pytestmark = pytest.mark.servers


def some_document(tag: str, first_name: str = "Alice") -> Document:
    human = {
        "id": f"user-{tag}",
        "username": f"alice-{tag}",
        "profile": {"firstName": first_name, "lastName": "Adams"},
        "email": {"email": f"alice-{tag}@mail.example"},
        "password": {"password": "correct horse battery"},
    }
    robot = {"id": f"robot-{tag}", "username": f"robot-{tag}", "name": "Robot", "secret": "the secret of the robot"}
    organization = {"id": f"org-{tag}", "name": f"Acme {tag}", "humans": [human], "serviceUsers": [robot]}
    wanted = {"organizations": [organization]}
    return msgspec.convert(wanted, Document)


async def test_apply_and_requests_over_real_servers(
    mongo_server: RunningMongo, users_mongo: MongoClient, nats_server: RunningNats, clock: FrozenClock
) -> None:
    """A document is applied, authz and token send requests, authz gets the event, and errors have paths of the
    document.
    """
    tag = secrets.token_hex(4)
    parts = Externals(
        mongo=MongoClient(mongo_server.section("users"), "users"),
        bus=nats_server.bus("users"),
        clock=clock,
        random=secrets.token_bytes,
        versions=MemoryVersions(clock),
    )
    app, health = create_app(Settings(argon2_memory_kib=8, argon2_passes=1), externals=parts)
    for name in ("outbox", "leases"):  # of tests with other clocks
        await users_mongo.database[name].delete_many({})
    operator, authz, token = (nats_server.bus(user) for user in ("operator", "authz", "token"))
    heard: asyncio.Queue[Changed] = asyncio.Queue()
    authz.subscribe(ORG_CHANGED, heard.put)
    async with alive(app):
        await operator.start()
        await authz.start()
        await token.start()
        async with asyncio.timeout(HANGS):
            await eventually(health.state, lambda state: {state[name] for name in state.keys() - NEVER_READY} == {"ok"})
            await eventually(lambda: _answers(authz), bool)
            await operator.call(APPLY, Apply(document=some_document(tag)), seconds=HANGS)
            user = (await authz.call(GET_USER, GetUser(user_id=f"user-{tag}"))).user
            verified = await authz.call(
                VERIFY_PASSWORD, VerifyPassword(login_name=f"alice-{tag}", password="correct horse battery", org_id="")
            )
            robot = (await token.call(GET_SERVICE_USER, GetServiceUser(client_id=f"robot-{tag}"))).service_user
            said = await heard.get()
            while said.aggregate_id != f"org-{tag}":
                said = await heard.get()
            with pytest.raises(ServiceError) as refused:
                await operator.call(APPLY, Apply(document=some_document(tag, first_name="A\x07")), seconds=HANGS)
        await operator.close()
        await authz.close()
        await token.close()

    assert user is not None
    assert verified.user == user
    assert robot is not None
    assert robot.secret_hash == fingerprint("the secret of the robot")
    assert (said.sequence, said.actor, said.org_id) == (1, "system", f"org-{tag}")
    assert (refused.value.kind, refused.value.id) == (Kind.INVALID_REQUEST, "USER-002")
    assert refused.value.text.startswith("organizations[0].humans[0].profile.firstName: ")


async def _answers(bus: NatsBus) -> bool:
    try:
        await bus.call(GET_USER, GetUser(user_id="nobody"), seconds=0.5)
    except ServiceError:
        return False
    return True
