"""Lasting secrets are sealed again under the newest master key, and those that cannot be decrypted are found (decision 0078)."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.master_keys import MasterKeys
from portico_runtime.mongo import migrations
from portico_runtime.mongo.sealed_secrets import Unreadable, find_secrets, unreadable
from portico_users.credentials.totp.authenticators import AuthenticatorSecrets, TotpAuthenticators
from portico_users.identity_providers.secrets import UNREADABLE_SECRET, ProviderSecrets, SecretSealer
from portico_users.notifications.senders.secrets import SenderSecrets, password_of, with_password, with_secret
from portico_users.notifications.senders.secrets import secrets_in_force as senders_secrets
from portico_users.notifications.senders.sender import SENDER_TABLE, Channel, Sender
from portico_users.scim_targets.target import SCIM_TARGETS, ScimTarget
from portico_users.scim_targets.tokens import TargetTokens, token_of, with_token
from portico_users.webhooks.changes import WebhookSecrets, secrets_in_force
from portico_users.webhooks.store import WEBHOOK_TABLE

from .test_migrations import _only_ours, carry, left, with_keys

pytestmark = pytest.mark.servers

__all__ = ["_only_ours"]

NEW_KEY = base64.b64encode(b"n" * 32).decode()
OTHER_KEY = base64.b64encode(b"o" * 32).decode()
APP_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


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
