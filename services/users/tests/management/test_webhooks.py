from __future__ import annotations

import json
import time

import pytest
from portico_fakes.webhook_scenario import OF_INSTANCE, WebhookScenario
from portico_users.webhooks.rules import MAX_WEBHOOKS
from portico_users.webhooks.webhook import GIVE_UP_SECONDS, LONGEST_REST
from standardwebhooks import Webhook, WebhookVerificationError

pytestmark = pytest.mark.servers


async def test_secret_is_shown_once_and_stored_encrypted(hooks: WebhookScenario) -> None:
    """Neither the webhook nor the event log contains it (MG-18, IN-09)."""
    id, secret = await hooks.add()
    stored = await hooks.users.rows("webhooks", _id=id)
    logged = await hooks.users.rows("events", object=id)
    listed = await hooks.call("ListWebhooks", {})

    assert secret.startswith("whsec_")
    assert secret not in str(stored)
    assert stored[0]["secrets"][0]["sealed"]
    assert "secrets" in logged[0]["fields"]
    assert "secrets" not in logged[0]["values"]
    assert "secret" not in str(listed.body["result"]).lower()


async def test_delivery_follows_standard_webhooks(hooks: WebhookScenario) -> None:
    """An independent library verifies the signature; the body has names of changed fields and no values."""
    hooks.users.clock.tick(time.time() - hooks.users.clock.now())
    _, secret = await hooks.add("first", "org.*")
    await hooks.rename("Renamed")
    await hooks.deliver()
    [(body, headers)] = hooks.got()
    verified = Webhook(secret).verify(body, headers)
    [event] = await hooks.users.rows("events", object=hooks.managed.org_id, sequence=2)

    assert verified["type"] == "org.updated"
    assert verified["data"] == {
        "id": event["_id"],
        "aggregateType": "orgs",
        "aggregateId": hooks.managed.org_id,
        "resourceOwner": hooks.managed.org_id,
        "sequence": "2",
        "editorUserId": f"owner-{hooks.managed.tag}",
        "fields": ["name"],
    }
    assert headers["webhook-id"] == event["_id"]
    assert "Renamed" not in body
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(body.replace("org.updated", "org.deleted"), headers)


async def test_events_reach_own_and_instance_webhooks(hooks: WebhookScenario) -> None:
    """Webhooks of other organizations do not receive them (MG-01)."""
    await hooks.add("own", "org.*")
    await hooks.add("foreign", "*", by="foreign")
    await hooks.add("instance", "org.*", by="iam", of=OF_INSTANCE)
    await hooks.rename("Renamed")
    await hooks.deliver()

    renamed = ("org.updated", hooks.managed.org_id, "2")
    assert hooks.about("own") == [renamed]
    assert renamed in hooks.about("instance")
    assert not [one for one in hooks.about("foreign") if one[0] == "org.updated"]


@pytest.mark.parametrize(
    ("types", "heard"),
    [
        (("org.updated",), ["org.updated"]),
        (("org.created",), []),
        (("org.*", "webhook.created"), ["org.updated", "webhook.created"]),
        (("user.*",), []),
    ],
)
async def test_webhook_receives_its_event_types(
    hooks: WebhookScenario, types: tuple[str, ...], heard: list[str]
) -> None:
    """Event types match exactly or by prefix pattern."""
    await hooks.add("first", *types)
    await hooks.rename("Renamed")
    await hooks.deliver()

    assert sorted(kind for kind, _, _ in hooks.about()) == heard


async def test_created_updated_and_deleted_are_distinguished(hooks: WebhookScenario) -> None:
    """A webhook also receives the removal of another webhook."""
    await hooks.add("first", "webhook.*")
    other, _ = await hooks.add("other", "user.created")
    await hooks.do("_deactivate", other)
    await hooks.do("", other, method="RemoveWebhook")
    await hooks.deliver()

    of_other = [kind for kind, id, _ in hooks.about() if id == other]
    assert of_other == ["webhook.created", "webhook.updated", "webhook.deleted"]


async def test_two_secrets_sign_during_a_rotation(hooks: WebhookScenario) -> None:
    """The previous secret signs for the requested time, then only the new one."""
    clock = hooks.users.clock
    clock.tick(time.time() - clock.now())
    id, old = await hooks.add("first", "org.*")
    rotated = await hooks.do("secret", id, {"keepPreviousSeconds": 600}, "RotateWebhookSecret")
    new = rotated.body["secret"]
    await hooks.rename("One")
    await hooks.deliver()
    clock.tick(250)
    during = await hooks.read(id)
    clock.tick(350)
    await hooks.rename("Two")
    await hooks.deliver()
    (first, both), (second, alone) = hooks.got()
    at_once = await hooks.do("secret", id, {"keepPreviousSeconds": 0}, "RotateWebhookSecret")

    assert Webhook(old).verify(first, both) == Webhook(new).verify(first, both)
    assert during["previousSecretUntil"] == rotated.body["previousSecretUntil"]
    assert len(both["webhook-signature"].split()) == 2
    assert len(alone["webhook-signature"].split()) == 1
    assert "previousSecretUntil" not in await hooks.read(id)
    assert "previousSecretUntil" not in at_once.body
    assert len((await hooks.users.rows("webhooks", _id=id))[0]["secrets"]) == 1
    assert json.loads(second)["type"] == "org.updated"


@pytest.mark.parametrize("end", ["_deactivate", ""])
async def test_inactive_or_removed_webhook_receives_nothing(hooks: WebhookScenario, end: str) -> None:
    """Pending deliveries are withdrawn, and new events are not enqueued."""
    id, _ = await hooks.add("first", "org.*")
    hooks.answer("first", 500)
    await hooks.rename("Renamed")
    await hooks.deliver()
    assert (await hooks.do(end, id, method="" if end else "RemoveWebhook")).code == 0
    hooks.posts.got.clear()
    await hooks.rename("Again")
    hooks.users.clock.tick(GIVE_UP_SECONDS / 2)
    await hooks.deliver()
    left = await hooks.users.rows("webhookDeliveries", webhookId=id)

    assert hooks.got() == []
    assert [row["state"] for row in left] == ["withdrawn"]
    assert await hooks.users.rows("webhookLanes", _id=id) == []


async def test_removed_webhook_is_not_found(hooks: WebhookScenario) -> None:
    """Its secret is deleted, and its name is free."""
    id, _ = await hooks.add()
    await hooks.do("", id, method="RemoveWebhook")
    [row] = await hooks.users.rows("webhooks", _id=id)

    assert (await hooks.do("", id, method="GetWebhook")).error_code == "USER-800"
    assert row["secrets"] == []
    await hooks.add()


async def test_webhooks_of_a_deleted_organization_receive_nothing(hooks: WebhookScenario) -> None:
    """Pending deliveries are not sent either (MG-04)."""
    id, _ = await hooks.add("first", "*")
    hooks.answer("first", 500)
    await hooks.deliver()
    orgs = hooks.users.parts.mongo.database["orgs"]
    await orgs.update_one({"_id": hooks.managed.org_id}, {"$set": {"state": "deleted"}})
    hooks.posts.got.clear()
    hooks.users.bus._taken.clear()
    hooks.users.clock.tick(LONGEST_REST)
    await hooks.deliver()
    left = await hooks.users.rows("webhookDeliveries", webhookId=id)

    assert hooks.got() == []
    assert {row["state"] for row in left} == {"withdrawn"}


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example/in",
        "https://127.0.0.1/in",
        "https://10.0.0.1/in",
        "https://169.254.169.254/latest",
        "https://[::1]/in",
        "https://2130706433/in",
        "https://user:word@hooks.example/in",
        "ftp://hooks.example/in",
        "https://hooks.example/in#part",
    ],
)
async def test_webhook_url_must_be_public(hooks: WebhookScenario, url: str) -> None:
    """A caller cannot make the service send requests to its own network by adding a webhook (IP-03)."""
    response = await hooks.call("AddWebhook", {"name": "x", "url": url, "eventTypes": ["*"]})

    assert response.error_code == "USER-801"
    assert response.fields == ["url"]


@pytest.mark.parametrize("kind", ["users.created", "user.renamed", "user", "user.c*", "**", ".*", "session.*"])
async def test_unknown_event_type_is_refused(hooks: WebhookScenario, kind: str) -> None:
    """A mistyped event type is refused, because it would never match."""
    response = await hooks.call("AddWebhook", {"name": "x", "url": hooks.url("x"), "eventTypes": ["*", kind]})

    assert response.error_code == "USER-802"
    assert response.fields == ["eventTypes[1]"]


async def test_number_of_webhooks_is_limited(hooks: WebhookScenario) -> None:
    """The limit bounds the cost of one change (P8)."""
    for number in range(MAX_WEBHOOKS):
        await hooks.add(f"number{number}", "user.deleted")
    one_more = await hooks.call("AddWebhook", {"name": "x", "url": hooks.url("x"), "eventTypes": ["*"]})

    assert one_more.error_code == "USER-803"
