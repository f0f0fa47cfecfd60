"""Migrations rewrite stored records in batches, concurrently with other writes (decision 0078)."""

from __future__ import annotations

import asyncio
import base64
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
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.master_keys import MasterKeys
from portico_runtime.mongo import migrations
from portico_runtime.mongo.schema_version import COLLECTION, RESTORING
from portico_runtime.mongo.sealed_secrets import Unreadable, find_secrets, unreadable
from portico_users.credentials.passwords import hash_counts
from portico_users.credentials.passwords.hash_counts import HashCounts
from portico_users.credentials.totp.authenticators import AuthenticatorSecrets, TotpAuthenticators
from portico_users.identity_providers.secrets import UNREADABLE_SECRET, ProviderSecrets, SecretSealer
from portico_users.notifications.senders.secrets import SenderSecrets, password_of, with_password, with_secret
from portico_users.notifications.senders.secrets import secrets_in_force as senders_secrets
from portico_users.notifications.senders.sender import SENDER_TABLE, Channel, Sender
from portico_users.scim_targets.target import SCIM_TARGETS, ScimTarget
from portico_users.scim_targets.tokens import TargetTokens, token_of, with_token
from portico_users.webhooks.changes import WebhookSecrets, secrets_in_force
from portico_users.webhooks.store import WEBHOOK_TABLE
from pydantic import SecretStr

pytestmark = pytest.mark.servers

NEW_KEY = base64.b64encode(b"n" * 32).decode()
OTHER_KEY = base64.b64encode(b"o" * 32).decode()
APP_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


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
    monkeypatch.setattr(hash_counts, "_AT_ONCE", 2)
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
    monkeypatch.setattr(hash_counts, "_AT_ONCE", 2)
    ids = await people(users_world, 4)
    await as_before(users_world, *ids)

    async def sign_in() -> list[bool]:
        found = [await users_world.try_password(id, users_world.password) for id in ids * 3]
        return [one.user is not None for one in found]

    signed_in, _ = await asyncio.gather(sign_in(), carry(users_world, "password-kinds"))
    assert all(signed_in)
    assert await left(users_world) == {"email-proofs": 4}


async def sealed_things(world: Any) -> str:
    id = f"ada-{world.tag}"
    await world.home(humans=[world.human(id=id)])
    database, sealer = world.parts.mongo.database, world.service.find(SecretSealer)
    attached = world.service.find(TotpAuthenticators).imported(id, APP_SECRET)
    await database["totpSecrets"].insert_one({"_id": id, **attached.values})
    await database["webhooks"].insert_one(webhook(world, sealer))
    await database["senders"].insert_one(sender(world, sealer))
    await database["scimTargets"].insert_one(scim_target(world, sealer))
    await database["idps"].insert_one(
        {
            "_id": f"idp-{world.tag}",
            "orgId": "org",
            "sequence": 1,
            "state": "active",
            "name": "Acme",
            "config": {"type": "oidc", "issuer": "https://idp.example", "clientId": "us"},
            "sealedSecret": sealer.seal("hush", f"idp-{world.tag}", "https://idp.example"),
        }
    )
    return id


def webhook(world: Any, sealer: SecretSealer) -> dict[str, Any]:
    id = f"hook-{world.tag}"
    sealed = [{"sealed": sealer.seal_for(text, f"webhook\n{id}".encode()), "until": 0.0} for text in ("new", "old")]
    own = {"name": "hook", "url": "https://x.example", "eventTypes": ["*"], "secrets": sealed}
    return {"_id": id, "orgId": "org", "sequence": 1, "state": "active", **own}


def sender(world: Any, sealer: SecretSealer) -> dict[str, Any]:
    new = Sender(
        id=f"sender-{world.tag}", org_id="org", channel=Channel.EMAIL, smtp_host="mail.example", smtp_user="us"
    )
    return SENDER_TABLE.document(with_password(with_secret(new, "new", sealer), "hush", sealer))


def scim_target(world: Any, sealer: SecretSealer, token: str = "hush") -> dict[str, Any]:
    new = ScimTarget(
        id=f"target-{world.tag}", org_id="org", name="Wiki", project_id="p", app_id="a", url="https://wiki.example/scim"
    )
    return SCIM_TARGETS.document(with_token(new, token, sealer))


SEALED = {"authenticator-secrets", "provider-secrets", "webhook-secrets", "sender-secrets", "scim-target-tokens"}
PLACES = ("totpSecrets", "idps", "webhooks", "senders", "scimTargets")


async def test_old_master_key_is_not_needed_after_migration(
    users_world: Any, new_replica: Any, cheap_hashing: Any
) -> None:
    """All lasting secrets are sealed under the newest key: a replica without the old one can read them."""
    id = await sealed_things(users_world)
    old = cheap_hashing.master_keys.get_secret_value()
    both = await with_keys(new_replica, users_world, cheap_hashing, NEW_KEY, old)
    only = await with_keys(new_replica, users_world, cheap_hashing, NEW_KEY)

    assert await left(users_world) == {}
    assert await left(both) == dict.fromkeys(SEALED, 1)
    for name in SEALED:
        assert [(one.changed, one.failed) for one in await carry(both, name)] == [(1, 0)]
    assert await left(both) == {}

    [hook] = [WEBHOOK_TABLE.record(row) for row in await users_world.rows("webhooks")]
    [one] = [SENDER_TABLE.record(row) for row in await users_world.rows("senders")]
    [idp] = await users_world.rows("idps")
    [target] = [SCIM_TARGETS.record(row) for row in await users_world.rows("scimTargets")]
    sealer = only.service.find(SecretSealer)
    assert secrets_in_force(hook, sealer, 0.0) == ["new", "old"]
    assert sealer.unseal(idp["sealedSecret"], idp["_id"], "https://idp.example") == "hush"
    assert (senders_secrets(one, sealer, 0.0), password_of(one, sealer)) == (["new"], "hush")
    assert token_of(target, sealer) == "hush"
    [row] = await users_world.rows("totpSecrets")
    authenticators = only.service.find(TotpAuthenticators)
    assert authenticators.resealed(row)["sealed"]["master"] == MasterKeys.read(NEW_KEY).sealing
    assert (row["_id"], row["lastStep"]) == (id, 0)


async def test_missing_master_key_loses_nothing(users_world: Any, new_replica: Any, cheap_hashing: Any) -> None:
    """Records that cannot be unsealed are counted and unchanged."""
    await sealed_things(users_world)
    stored = [await users_world.rows(name) for name in PLACES]
    only = await with_keys(new_replica, users_world, cheap_hashing, OTHER_KEY)
    for name in SEALED:
        assert [(one.changed, one.failed) for one in await carry(only, name)] == [(0, 1)]

    assert await left(only) == dict.fromkeys(SEALED, 1)
    assert [await users_world.rows(name) for name in PLACES] == stored


async def test_secrets_under_another_master_key_are_found(
    users_world: Any, new_replica: Any, cheap_hashing: Any
) -> None:
    """Every lasting secret that is sealed is found with the fingerprint of its master key."""
    await sealed_things(users_world)
    database, ours = users_world.parts.mongo.database, users_world.service.find(MasterKeys)
    found = await find_secrets(database, "users", (other := MasterKeys.read(OTHER_KEY)).fingerprints)
    missing = unreadable(found, other.fingerprints)
    resealing = {
        users_world.service.find(one).rows.name
        for one in (AuthenticatorSecrets, ProviderSecrets, WebhookSecrets, SenderSecrets, TargetTokens)
    }

    assert missing == Unreadable(
        ours.fingerprints,
        "PORTICO_MASTER_KEYS cannot decrypt 1 authenticator app, 1 identity provider secret, 2 webhook secrets, "
        "1 secret of a sender, 1 password of a mail server and 1 token of a SCIM target with master key "
        f"{ours.sealing}",
    )
    assert unreadable(found, ours.fingerprints) is None
    assert {place.collection for place in found} == resealing


async def test_unreadable_authenticator_secret_has_an_error_of_its_own(
    users_world: Any, new_replica: Any, cheap_hashing: Any
) -> None:
    """Its cause is a missing master key, which the log names, rather than an empty setting."""
    id = await sealed_things(users_world)
    only = await with_keys(new_replica, users_world, cheap_hashing, OTHER_KEY)
    with pytest.raises(ServiceError) as refused:
        await only.service.find(TotpAuthenticators).is_right(id, "123456")

    master = users_world.service.find(MasterKeys).sealing
    assert (refused.value.id, refused.value.kind) == (UNREADABLE_SECRET.id, Kind.UNAVAILABLE)
    assert refused.value.private["cause"] == f"master key {master} is missing"


async def test_batches_continue_after_each_other(
    users_world: Any, new_replica: Any, cheap_hashing: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Batches are in the order of ids, and skip records that cannot be rewritten."""
    monkeypatch.setattr(migrations, "PORTION", 1)
    await sealed_things(users_world)
    database, sealer = users_world.parts.mongo.database, users_world.service.find(SecretSealer)
    elsewhere = {**webhook(users_world, sealer), "_id": f"a-{users_world.tag}", "orgId": "other"}
    await database["webhooks"].insert_one(elsewhere)
    old = cheap_hashing.master_keys.get_secret_value()
    both = await with_keys(new_replica, users_world, cheap_hashing, NEW_KEY, old)
    done = await carry(both, "webhook-secrets")

    assert [(one.changed, one.failed) for one in done] == [(0, 1), (1, 0), (0, 0)]


@pytest.mark.parametrize("name", sorted(SEALED))
async def test_concurrent_change_is_retained(users_world: Any, new_replica: Any, cheap_hashing: Any, name: str) -> None:
    """A change between reading and writing a batch is retained, and the record is found the next time."""
    await sealed_things(users_world)
    where = {
        "authenticator-secrets": "totpSecrets",
        "provider-secrets": "idps",
        "webhook-secrets": "webhooks",
        "sender-secrets": "senders",
        "scim-target-tokens": "scimTargets",
    }[name]
    rows = users_world.parts.mongo.database.delegate[where]
    [other] = [other_secret(users_world, where, row) for row in await users_world.rows(where)]
    carrying: list[bool] = []

    def seals_slowly(length: int) -> bytes:
        if carrying:
            carrying.pop()
            rows.replace_one({}, other)
        return b"x" * length

    old = cheap_hashing.master_keys.get_secret_value()
    both = await with_keys(new_replica, users_world, cheap_hashing, f"{NEW_KEY},{old}", random=seals_slowly)
    carrying.append(True)
    assert [(one.changed, one.failed) for one in await carry(both, name)] == [(0, 0)]
    assert await users_world.rows(where) == [other]
    assert [(one.changed, one.failed) for one in await carry(both, name)] == [(1, 0)]


def other_secret(world: Any, where: str, row: dict[str, Any]) -> dict[str, Any]:
    sealer = SecretSealer(world.service.find(SecretSealer).keys, lambda length: b"y" * length)
    if where == "totpSecrets":
        again = TotpAuthenticators(None, None, sealer.keys, world.clock, sealer.random)  # type: ignore[arg-type]
        return row | again.imported(row["_id"], APP_SECRET[::-1]).values
    if where == "idps":
        return row | {"sealedSecret": sealer.seal("other", row["_id"], row["config"]["issuer"])}
    if where == "scimTargets":
        return row | {"token": scim_target(world, sealer, "other")["token"]}
    if where == "senders":
        return row | {"secrets": list(sender(world, sealer)["secrets"])}
    return row | {"secrets": webhook(world, sealer)["secrets"][:1]}


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
