"""Migrations rewrite stored records in batches, concurrently with other writes (decision 0078)."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

import pytest
from portico_contracts.migrations import (
    USERS_MIGRATE_BATCH,
    USERS_MIGRATIONS,
    BatchMigrated,
    ListMigrations,
    MigrateBatch,
)
from portico_runtime.mongo import migrations
from portico_runtime.mongo.schema_version import COLLECTION, RESTORING
from portico_users.credentials.passwords.hash_counts import HashCounts
from pydantic import SecretStr

pytestmark = pytest.mark.servers


@pytest.fixture(autouse=True)
async def _only_ours(users_world: Any) -> None:
    database = users_world.parts.mongo.database
    sealed = ("totpSecrets", "idps", "webhooks", "senders", "scimTargets")
    for collection in ("users", "members", "passwords", "hashCounts", *sealed):
        await database[collection].delete_many({})


async def left(world: Any) -> dict[str, int]:
    listed = await world.call(USERS_MIGRATIONS, ListMigrations())
    assert not listed.refused
    return {one.name: one.left for one in listed.migrations if one.left}


async def carry(world: Any, name: str, *, portions: int = 100) -> list[BatchMigrated]:
    done: list[BatchMigrated] = []
    after: str | None = ""
    while after is not None and len(done) < portions:
        done.append(await world.call(USERS_MIGRATE_BATCH, MigrateBatch(name=name, after=after)))
        after = done[-1].after
    return done


async def with_keys(new_replica: Any, world: Any, settings: Any, *keys: str, random: Any = secrets.token_bytes) -> Any:
    again = settings.model_copy(update={"master_keys": SecretStr(",".join(keys))})
    return await new_replica.func(new_replica.args[0], again, world.clock, world.parts.mongo, random)


async def people(world: Any, number: int) -> list[str]:
    ids = [f"p{place}-{world.tag}" for place in range(number)]
    await world.home(
        humans=[
            world.human(id=id, username=id, email={"email": f"{id}@mail.example", "isVerified": True}) for id in ids
        ]
    )
    return ids


async def as_before(world: Any, *ids: str) -> None:
    database = world.parts.mongo.database
    await database["users"].update_many({"_id": {"$in": ids}}, {"$unset": {"emailProof": ""}})
    await database["passwords"].update_many({"_id": {"$in": ids}}, {"$unset": {"kind": ""}})
    await database["hashCounts"].delete_many({})


async def test_interrupted_migration_resumes(users_world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a restart only the remaining records are found, and each is migrated once."""
    monkeypatch.setattr(migrations, "PORTION", 2)
    ids = await people(users_world, 5)
    before = await users_world.service.find(HashCounts).list_kinds()
    await as_before(users_world, *ids)

    assert await left(users_world) == {"email-proofs": 5, "password-kinds": 5}
    first = await carry(users_world, "password-kinds", portions=1)
    assert await left(users_world) == {"email-proofs": 5, "password-kinds": 3}
    rest = await carry(users_world, "password-kinds")
    await carry(users_world, "email-proofs")
    twice = await carry(users_world, "password-kinds")

    assert [one.changed for one in (*first, *rest, *twice)] == [2, 2, 1, 0]
    assert await left(users_world) == {}
    assert await users_world.service.find(HashCounts).list_kinds() == before
    assert [row["emailProof"]["kind"] for row in await users_world.rows("users")] == ["asserted"] * 5


async def test_concurrent_migrations_count_once(users_world: Any) -> None:
    """Concurrent runs, or a run and the work at start, share the records."""
    ids = await people(users_world, 8)
    before = await users_world.service.find(HashCounts).list_kinds()
    await as_before(users_world, *ids)
    await asyncio.gather(*(carry(users_world, "password-kinds") for _ in range(3)))

    assert await users_world.service.find(HashCounts).list_kinds() == before
    assert await left(users_world) == {"email-proofs": 8}


async def test_both_schemas_are_read_during_migration(users_world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """During a migration users sign in from records of either schema, and their changes are retained."""
    monkeypatch.setattr(migrations, "PORTION", 2)
    ids = await people(users_world, 4)
    await as_before(users_world, *ids)

    async def sign_in() -> list[bool]:
        found = [await users_world.try_password(id, users_world.password) for id in ids * 3]
        return [one.user is not None for one in found]

    signed_in, _ = await asyncio.gather(sign_in(), carry(users_world, "password-kinds"))
    assert all(signed_in)
    assert await left(users_world) == {"email-proofs": 4}


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        ({RESTORING: True}, "a restore is in progress or was interrupted"),
        ({"form": 9, "readBy": 9}, "a newer release wrote records of schema version 9"),
    ],
)
async def test_migration_is_refused_when_not_allowed(users_world: Any, found: dict[str, Any], sentence: str) -> None:
    """During a restore, and with records of a newer release, the migration is refused with the reason."""
    ids = await people(users_world, 1)
    await as_before(users_world, *ids)
    forms = users_world.parts.mongo.database[COLLECTION]
    await forms.replace_one({"_id": "users"}, found, upsert=True)
    try:
        listed = await users_world.call(USERS_MIGRATIONS, ListMigrations())
        [carried] = await carry(users_world, "password-kinds")
    finally:
        await forms.delete_one({"_id": "users"})

    assert sentence in listed.refused
    assert sentence in carried.refused
    assert await left(users_world) == {"email-proofs": 1, "password-kinds": 1}


async def test_unknown_migration_is_refused(users_world: Any) -> None:
    """The command of another release may know a migration that this one does not have."""
    [carried] = await carry(users_world, "no-such-thing")

    assert carried.refused == "there is no migration no-such-thing in the release that runs"


async def test_links_to_removed_providers_end(users_world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Provider by provider, in portions; links to other providers stay."""
    for module in ("journal.journal", "identity_providers.endings"):
        monkeypatch.setattr(f"portico_users.{module}.AT_ONCE", 1)
    monkeypatch.setattr("portico_users.identity_providers.commands.provider_links.PATIENCE", -1.0)
    ids, users = await people(users_world, 3), users_world.parts.mongo.database["users"]
    for id, state in (("gone", "deleted"), ("other", "deleted"), ("there", "active")):
        await users_world.parts.mongo.database["idps"].insert_one({"_id": id, "nameKey": id, "state": state})
    for id, providers in zip(ids, (["gone", "other"], ["gone", "there"], ["there"]), strict=True):
        links = [{"idpId": one, "userId": id, "userName": id} for one in providers]
        keys = [f"{one}\n{id}" for one in providers]
        await users.update_one({"_id": id}, {"$set": {"idpLinks": links, "linkKeys": keys}})
    before, batches = await left(users_world), await carry(users_world, "provider-links")
    stored = {row["_id"]: [one["idpId"] for one in row["idpLinks"]] for row in await users_world.rows("users")}

    assert (before, sum(one.changed for one in batches), await left(users_world)) == ({"provider-links": 2}, 3, {})
    assert stored == dict(zip(ids, ([], ["there"], ["there"]), strict=True))
