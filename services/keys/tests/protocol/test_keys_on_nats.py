from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from portico_contracts.http import KEYS
from portico_contracts.keys import ACTIVE_KEYS, GetActiveKeys
from portico_fakes.keys_service import MASTER_KEY
from portico_harness.asgi_life import alive
from portico_harness.eventually import eventually
from portico_harness.newer_release import waiting_for_a_newer_release
from portico_harness.servers import RunningMongo, RunningNats
from portico_keys.app import create
from portico_keys.settings import Settings
from portico_oauth.errors import ServiceError
from portico_oauth.jose import SigningKey
from portico_oauth.sealing import Sealed, open_sealed
from portico_runtime.bus.nats_bus import NatsBus
from portico_runtime.mongo.client import MongoClient

pytestmark = pytest.mark.servers


@pytest.fixture
async def token_bus(nats_server: RunningNats) -> AsyncIterator[NatsBus]:
    bus = nats_server.bus("token")
    await bus.start()
    yield bus
    await bus.close()


def settings_of(mongo_server: RunningMongo, nats_server: RunningNats) -> Settings:
    values = {**mongo_server.section("keys").model_dump(), **nats_server.section("keys").model_dump()}
    return Settings.model_validate({**values, "master_keys": MASTER_KEY})


async def test_token_signs_with_a_key_of_the_key_set(
    mongo_server: RunningMongo, nats_server: RunningNats, token_bus: NatsBus
) -> None:
    """From an empty store, a key is created, published, distributed sealed, and its signatures verify with PyJWT."""
    app, health = create(settings_of(mongo_server, nats_server))
    requester = X25519PrivateKey.generate()

    async def ready() -> bool:
        try:
            await token_bus.call(ACTIVE_KEYS, GetActiveKeys(public_key=requester.public_key().public_bytes_raw()))
        except ServiceError:
            return False
        return set((await health.state()).values()) == {"ok"}

    async with alive(app), httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://keys.test") as client:
        await eventually(ready, bool)
        active = await token_bus.call(ACTIVE_KEYS, GetActiveKeys(public_key=requester.public_key().public_bytes_raw()))
        key_set = jwt.PyJWKSet.from_json((await client.get(KEYS)).text)
    handed = max((key for key in active.keys if key.alg == "RS256"), key=lambda key: key.activates_at)
    der = open_sealed(requester, handed.kid, Sealed(handed.sender_key, handed.nonce, handed.sealed))
    token = SigningKey.load(handed.kid, handed.alg, der).sign(b'{"sub":"1"}')

    assert jwt.decode(token, key_set[handed.kid], algorithms=["RS256"]) == {"sub": "1"}
    assert (await health.state())["clock"] == "ok"


async def test_keys_of_a_newer_release_are_left_alone(
    mongo_server: RunningMongo, nats_server: RunningNats, token_bus: NatsBus
) -> None:
    """A release that cannot read the stored keys answers no request and creates no key (decision 0073)."""
    app, health = create(settings_of(mongo_server, nats_server))
    mongo = MongoClient(mongo_server.section("keys"), "keys")
    before = await mongo.database["signing_keys"].find({}).to_list()
    async with waiting_for_a_newer_release(app, health, mongo.database, "keys"):
        with pytest.raises(ServiceError):
            await token_bus.call(ACTIVE_KEYS, GetActiveKeys(public_key=bytes(32)))
        assert await mongo.database["signing_keys"].find({}).to_list() == before
    await mongo.close()
