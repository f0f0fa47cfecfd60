"""Checks of ``python -m portico_users doctor``: schema version of records, and documents of identity providers."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from portico_contracts.users import AuthMethod
from portico_harness.servers import RunningMongo, running_mongo
from portico_oauth.jose import SigningKey
from portico_runtime.doctor.finding import Finding, as_lines
from portico_runtime.mongo.client import MongoClient
from portico_runtime.process.clock import SystemClock
from portico_users.applications.app_record import App
from portico_users.applications.store import APPS
from portico_users.doctor import own_checks
from portico_users.identity_providers.idp import Idp, JwtConfig, OidcConfig
from portico_users.identity_providers.store import IDPS
from portico_users.organizations.org import ORGS, Org
from portico_users.service_users.service_user import SERVICE_USERS, ServiceUser
from portico_users.settings import Settings
from portico_users.storage.schema import Schema
from portico_users.tables import INDEXES
from portico_users.trusted_workloads.workload import TrustedWorkload
from portico_users.values.records import State

pytestmark = pytest.mark.servers


@pytest.fixture
def own_mongo(tmp_path: Path) -> Iterator[RunningMongo]:
    with running_mongo(tmp_path) as server:
        yield server


@pytest.fixture
async def provider() -> AsyncIterator[int]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()


def idp(name: str, config: OidcConfig | JwtConfig, state: State = State.ACTIVE) -> dict[str, object]:
    return IDPS.document(Idp(id=name.lower(), org_id="instance", name=name, config=config, state=state))


def signer(name: str, method: AuthMethod = AuthMethod.PRIVATE_KEY_JWT, **members: Any) -> dict[str, Any]:
    app = App(
        id=name, org_id="acme", project_id="p", name=name, client_id=f"client-{name}", auth_method=method, **members
    )
    return APPS.document(app)


SECRET = signer("Secret", AuthMethod.CLIENT_SECRET_BASIC)


async def test_records_and_identity_providers(own_mongo: RunningMongo, provider: int) -> None:
    """The documents of active providers are fetched; an unreachable provider and a newer schema version are errors."""
    section, here = own_mongo.section("users"), f"http://127.0.0.1:{provider}"
    settings = Settings(
        mongo_url=section.mongo_url, mongo_password=section.mongo_password, outbound_allow=f"127.0.0.1:{provider}"
    )
    mongo = MongoClient(section, "users")
    await mongo.database["idps"].insert_many(
        [
            idp("Acme", OidcConfig(issuer=here, client_id="portico")),
            idp("Jwt", JwtConfig(jwt_endpoint=here, issuer=here, keys_endpoint=f"{here}/keys")),
            idp("Away", OidcConfig(issuer="https://127.0.0.1:9", client_id="portico")),
            idp("Off", OidcConfig(issuer="https://127.0.0.1:9", client_id="portico"), State.INACTIVE),
        ]
    )
    before = await _found(settings)
    await mongo.database["apps"].insert_many([signer("Bound", issuer_audience_only=True), signer("Shop"), SECRET])
    await mongo.database["schema"].insert_one({"_id": "users", "form": 9, "readBy": 9})
    await mongo.database["webauthnKeys"].insert_one({"_id": "k", "credentialId": "k", "rpId": "old.example"})
    await mongo.database["totpSecrets"].insert_one({"_id": "ada", "sealed": {"master": "0f0f"}})
    after = await _found(settings)
    await mongo.close()

    assert before["wrong"] == [
        "requests to the identity provider Away (away) are not allowed: the address is not public"
    ]
    assert f"the identity provider Acme (acme) responds at 127.0.0.1:{provider}" in before["ok"]
    assert f"the identity provider Jwt (jwt) responds at 127.0.0.1:{provider}" in before["ok"]
    assert "this release can read their schema version (it writes version 1)" in before["ok"]
    assert "they decrypt every stored secret" in before["ok"]
    passkeys = "passkeys were registered for old.example, and new ones are for localhost"
    assert (passkeys in before["warning"], passkeys in after["warning"]) == (False, True)
    assertions = "client assertions may name the URL of the endpoint instead of the issuer: Shop (client-Shop)"
    assert (assertions in before["warning"], assertions in after["warning"]) == (False, True)
    assert after["wrong"][1] == "PORTICO_MASTER_KEYS cannot decrypt 1 authenticator app with master key 0f0f"
    assert after["wrong"][0] == "a newer release wrote records of schema version 9; this release reads up to version 1"


@pytest.fixture
async def issuer() -> AsyncIterator[tuple[str, list[SigningKey]]]:
    """An issuer that publishes these keys."""
    keys: list[SigningKey] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        is_keys = head.startswith(b"GET /keys ")
        found = {"keys": [key.public_jwk() for key in keys]} if is_keys else {"issuer": url, "jwks_uri": f"{url}/keys"}
        body = json.dumps(found).encode()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(body) + body)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield url, keys
    server.close()


async def test_pasted_keys_of_workloads(own_mongo: RunningMongo, issuer: tuple[str, list[SigningKey]]) -> None:
    """Each trusted workload with pasted keys is a warning: that they do not rotate, how old they are, that the issuer can
    be reached, or which of its keys were not pasted.
    """
    section, (url, published) = own_mongo.section("users"), issuer
    allowed = url.removeprefix("http://")
    settings = Settings(
        mongo_url=section.mongo_url, mongo_password=section.mongo_password, outbound_allow=f"{allowed},127.0.0.1:9"
    )
    first, second = (SigningKey.generate(kid, "ES256") for kid in ("first", "second"))
    pasted = json.dumps({"keys": [first.public_jwk()]})
    away = TrustedWorkload(name="pod", issuer="http://127.0.0.1:9", key_set=pasted)
    near = TrustedWorkload(name="job", issuer=url, key_set=pasted)
    fetched = TrustedWorkload(name="fetched", issuer=url)
    now = SystemClock().now()
    robot = ServiceUser(id="robot", org_id="acme", user_name="robot", name="Robot", trusted_workloads=(near, fetched))
    mongo = MongoClient(section, "users")
    await mongo.database["users"].insert_one(SERVICE_USERS.document(robot))
    await mongo.database["apps"].insert_one(signer("Shop", trusted_workloads=(away,), changed=now))
    published.append(first)
    same = await _found(settings)
    published.append(second)
    event = {"_id": "e", "object": "Shop", "sequence": 1, "at": now - 100 * 86_400}
    await mongo.database["events"].insert_one({**event, "values": {"trustedWorkloads": [{"keySet": pasted}]}})
    other = await _found(settings)
    await mongo.close()

    def of(found: dict[str, list[str]]) -> list[str]:
        return [text for text in found["warning"] if "pasted keys" in text]

    assert of(same) == [
        "Shop (Shop) trusts pod with pasted keys, which do not rotate; its issuer cannot be reached",
        "Robot (robot) trusts job with pasted keys, although its issuer can be reached",
    ]
    assert of(other) == [
        "Shop (Shop) trusts pod with pasted keys, which are 100 days old; its issuer cannot be reached",
        "Robot (robot) trusts job with pasted keys, and its issuer publishes others: second",
    ]


async def test_records_before_an_upgrade(own_mongo: RunningMongo) -> None:
    """--records names migrations and missing indexes with the size of their collections, and writes nothing."""
    section = own_mongo.section("users")
    settings = Settings(mongo_url=section.mongo_url, mongo_password=section.mongo_password)
    mongo = MongoClient(section, "users")
    await mongo.database["orgs"].insert_one(
        ORGS.document(Org(id="acme", org_id="acme", name="Acme", primary_domain="acme.example"))
    )
    await mongo.database["orgs"].update_one({}, {"$unset": {"words": "", "wordsForm": ""}})
    found = await _found(settings, records=True)
    stored = await mongo.database.list_collection_names()
    schema = Schema(mongo.database, INDEXES)
    creating = asyncio.create_task(schema.create())
    await schema.wait()
    missing_after = await schema.list_missing()
    creating.cancel()
    await mongo.close()

    assert "after the upgrade portico migrate rewrites org-words (1)" in found["ok"]
    assert any("indexes at its first start" in text and "on orgs (1 document)" in text for text in found["ok"])
    assert stored == ["orgs"]
    assert missing_after == []


async def _found(settings: Settings, *, records: bool = False) -> dict[str, list[str]]:
    options = argparse.Namespace(email_to="", records=records)
    found: list[Finding] = [one async for one in own_checks(settings, options)]
    assert settings.mongo_password.get_secret_value() not in "".join(as_lines(one) for one in found)
    return {level: [one.text for one in found if one.level == level] for level in ("ok", "warning", "wrong")}
