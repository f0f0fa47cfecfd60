"""Delivery of events to webhooks, and receivers that fail."""

from __future__ import annotations

import asyncio
from datetime import datetime

import pytest
from portico_fakes.webhook_scenario import WebhookScenario
from portico_harness.eventually import HANGS
from portico_runtime.http_client.outbound import ResponseHead
from portico_users.webhooks.sender import LONG_AT_ONCE, OBJECTS_AT_ONCE, QUEUES_AT_ONCE, Sender
from portico_users.webhooks.webhook import GIVE_UP_SECONDS, LONGEST_REST, PAUSES

pytestmark = pytest.mark.servers


async def test_events_of_one_object_stay_in_order(hooks: WebhookScenario) -> None:
    """A failed delivery is retried before later ones about the same object; other objects are not delayed (FD-05)."""
    await hooks.add("first", "org.*", "webhook.*")
    await hooks.deliver()
    refused: list[str] = []

    async def answer(body: str) -> int:
        if '"org.updated"' in body and not refused:
            refused.append(body)
            return 500
        return 200

    hooks.posts.answers[hooks.url("first")] = answer
    hooks.posts.got.clear()
    for number in range(3):
        await hooks.rename(f"Name {number}")
    other, _ = await hooks.add("other", "user.created")
    await hooks.deliver()
    before = hooks.about()
    hooks.users.clock.tick(PAUSES[0])
    await hooks.deliver()
    of_org = [sequence for kind, _, sequence in hooks.about() if kind == "org.updated"]

    assert of_org == ["2", "2", "3", "4"]
    assert [one[2] for one in before if one[0] == "org.updated"] == ["2"]
    hooks.users.clock.tick(1)
    assert ("webhook.created", other, "1") in hooks.about()


async def test_retry_has_the_same_id_and_is_logged(hooks: WebhookScenario) -> None:
    """After status 500, no response and then 200, three attempts with one id and new signatures are logged."""
    id, _ = await hooks.add("first", "org.*")
    hooks.answer("first", 500, 302, 200)
    await hooks.rename("Renamed")
    await hooks.deliver()
    [waiting] = await hooks.log(id)
    for pause in PAUSES[:2]:
        hooks.users.clock.tick(pause)
        await hooks.deliver()
    [delivery] = await hooks.log(id, states=["DELIVERY_STATE_DELIVERED"])
    headers = [headers for _, headers in hooks.got()]

    assert len(headers) == 3
    assert {one["webhook-id"] for one in headers} == {delivery["eventId"]}
    assert len({one["webhook-timestamp"] for one in headers}) == 3
    assert waiting["state"] == "DELIVERY_STATE_WAITING"
    assert waiting["nextAttempt"] < waiting["giveUp"]
    assert [(one.get("httpStatus"), one.get("cause", "")) for one in delivery["attempts"]] == [
        (500, "status 500"),
        (302, "status 302"),
        (200, ""),
    ]
    assert delivery["attemptCount"] == 3
    assert "nextAttempt" not in delivery


async def test_event_consumed_twice_is_delivered_once(hooks: WebhookScenario) -> None:
    """The stream delivers at least once; a webhook gets one delivery per event (FD-05)."""
    id, _ = await hooks.add("first", "org.*")
    await hooks.rename("Renamed")
    await hooks.deliver()
    hooks.users.bus._taken.clear()
    await hooks.deliver()

    assert len(hooks.got()) == 1
    assert len(await hooks.log(id)) == 1


async def test_dead_receiver_is_deactivated_after_three_days(hooks: WebhookScenario) -> None:
    """The delivery ends and the webhook becomes inactive with the reason; after activation it receives again."""
    id, _ = await hooks.add("first", "org.*")
    hooks.answer("first", 503)
    await hooks.rename("Renamed")
    await hooks.deliver()
    failing = await hooks.read(id)
    spent = 0.0
    while spent <= GIVE_UP_SECONDS:
        hooks.users.clock.tick(PAUSES[-1])
        spent += PAUSES[-1]
        await hooks.deliver()
    attempts = len(hooks.got())
    off = await hooks.read(id)
    [given_up] = await hooks.log(id)
    await hooks.do("_activate", id)
    hooks.answer("first", 200)
    await hooks.rename("Again")
    await hooks.deliver()
    on = await hooks.read(id)

    assert failing["failingSince"]
    assert off["state"] == "WEBHOOK_STATE_INACTIVE"
    assert off["failure"] == "the receiver took nothing for three days"
    assert given_up["state"] == "DELIVERY_STATE_GIVEN_UP"
    assert given_up["attemptCount"] == attempts > 10
    assert len(given_up["attempts"]) == 10
    assert hooks.about()[-1] == ("org.updated", hooks.managed.org_id, "3")
    assert "failure" not in on
    assert "failingSince" not in on


async def test_status_410_deactivates_the_webhook(hooks: WebhookScenario) -> None:
    """Status 410 deactivates the webhook at once, with the system as editor."""
    id, _ = await hooks.add("first", "org.*")
    hooks.answer("first", 410)
    await hooks.rename("Renamed")
    await hooks.rename("Again")
    await hooks.deliver()
    deliveries = await hooks.log(id)
    switched_off = (await hooks.users.rows("events", object=id))[-1]

    assert len(hooks.got()) == 1
    assert (await hooks.read(id))["state"] == "WEBHOOK_STATE_INACTIVE"
    assert {one["state"] for one in deliveries} == {"DELIVERY_STATE_WITHDRAWN"}
    assert switched_off["actor"] == "system"


async def test_slow_receiver_delays_no_other(hooks: WebhookScenario) -> None:
    """A receiver that never responds delays only its own queue (P8, FD-26)."""
    slow = asyncio.Event()

    async def hang(_body: str) -> int:
        await slow.wait()
        return 200

    for number in range(QUEUES_AT_ONCE - 1):
        await hooks.add(f"slow{number}", "org.*")
        hooks.posts.answers[hooks.url(f"slow{number}")] = hang
    await hooks.add("quick", "org.*")
    await hooks.rename("Renamed")
    await hooks.enqueue()
    under_way = set(await hooks.users.service.find(Sender).begin_due())
    while not hooks.got("quick") or len(under_way) == QUEUES_AT_ONCE:
        _, under_way = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
    slow.set()
    await asyncio.wait(under_way)

    assert hooks.about("quick") == [("org.updated", hooks.managed.org_id, "2")]
    assert len(under_way) == QUEUES_AT_ONCE - 1


async def test_many_slow_receivers_delay_no_other(hooks: WebhookScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    """Receivers that used up their turn never have all places, however many there are (FD-26)."""
    slow, sender = asyncio.Event(), hooks.users.service.find(Sender)

    async def hang(_body: str) -> int:
        await slow.wait()
        return 200

    ids = [(await hooks.add(f"slow{number}", "org.*"))[0] for number in range(QUEUES_AT_ONCE)]
    for number in range(QUEUES_AT_ONCE):
        hooks.posts.answers[hooks.url(f"slow{number}")] = hang
    await hooks.rename("Renamed")
    await hooks.enqueue()
    with monkeypatch.context() as patched:
        patched.setattr("portico_users.webhooks.sender.SLICE_SECONDS", 0.0)
        # A queue that was released may be begun again before another one begins.
        while await hooks.users.rows("webhookLanes", _id={"$in": ids}, isLong={"$ne": True}):
            await asyncio.gather(*await sender.begin_due())
    hooks.users.clock.tick(1)
    await hooks.add("quick", "org.*")
    await hooks.rename("Again")
    await hooks.enqueue()
    under_way = await sender.begin_due()
    async with asyncio.timeout(HANGS):
        while not hooks.got("quick") or len(under_way) > LONG_AT_ONCE:
            await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            under_way = await sender.begin_due()
    slow.set()
    await asyncio.wait(under_way)

    assert len(under_way) == LONG_AT_ONCE


async def test_failing_receiver_gets_growing_pauses(hooks: WebhookScenario) -> None:
    """A few requests are made before each growing pause; once the receiver responds, everything is delivered."""
    await hooks.add("first", "*")
    hooks.answer("first", 500)
    for number in range(20):
        await hooks.managed.add(hooks.managed.new_human(f"new{number}"))
    await hooks.deliver()
    first = len(hooks.got())
    for _ in range(12):
        hooks.users.clock.tick(LONGEST_REST)
        await hooks.deliver()
    asked = len(hooks.got())
    hooks.answer("first", 200)
    hooks.users.clock.tick(LONGEST_REST)
    hooks.posts.got.clear()
    await hooks.deliver()

    assert first <= 4
    assert asked <= 13 * 4
    assert len([one for one in hooks.about() if one[0] == "user.created"]) == 20


@pytest.mark.parametrize("status", [429, 503])
async def test_retry_after_is_respected(hooks: WebhookScenario, status: int) -> None:
    """Retry-After delays all pending deliveries, also after a success, up to the longest pause."""
    await hooks.add("first", "user.created")
    hooks.answer("first", 200, ResponseHead(status, "900"), ResponseHead(status, "99999999"), 200)
    for number in range(8):
        await hooks.managed.add(hooks.managed.new_human(f"new{number}"))
    heard: list[int] = []
    for seconds in (0.0, 899.0, 1.0, PAUSES[-1] - 1.0, 1.0):
        hooks.users.clock.tick(seconds)
        await hooks.deliver()
        heard.append(len(hooks.got()))

    first, before, second, still, last = heard
    assert first <= OBJECTS_AT_ONCE + 1
    assert before == first
    assert second > first
    assert still == second
    assert last > still
    assert len({headers["webhook-id"] for _, headers in hooks.got()}) == 8


async def test_log_has_the_time_of_the_next_attempt(hooks: WebhookScenario) -> None:
    """No request is made before the end of the requested pause."""
    id, _ = await hooks.add("first", "org.updated")
    hooks.answer("first", ResponseHead(429, "900"))
    await hooks.rename("Renamed")
    await hooks.deliver()
    [delivery] = await hooks.log(id)
    tried, again = (datetime.fromisoformat(at) for at in (delivery["attempts"][0]["date"], delivery["nextAttempt"]))

    assert 900.0 <= (again - tried).total_seconds() < 901.0


@pytest.mark.parametrize(("status", "header"), [(500, "900"), (429, "soon"), (429, "1")])
async def test_retry_after_applies_only_to_429_and_503(hooks: WebhookScenario, status: int, header: str) -> None:
    """Retry-After of other statuses is ignored, and a shorter pause than the scheduled one as well."""
    await hooks.add("first", "org.updated")
    hooks.answer("first", ResponseHead(status, header))
    await hooks.rename("Renamed")
    heard: list[int] = []
    for seconds in (0.0, PAUSES[0] - 1.0, 1.0):
        hooks.users.clock.tick(seconds)
        await hooks.deliver()
        heard.append(len(hooks.got()))

    assert heard == [1, 1, 2]


async def test_delivery_can_be_resent(hooks: WebhookScenario) -> None:
    """The delivery is repeated at once with the same id, unless the webhook is inactive or the log no longer has the
    delivery.
    """
    id, _ = await hooks.add("first", "org.*")
    await hooks.rename("Renamed")
    await hooks.deliver()
    [delivery] = await hooks.log(id)
    path = f"deliveries/{delivery['eventId']}/_resend"
    assert (await hooks.do(path, id, method="ResendDelivery")).code == 0
    await hooks.deliver()
    (_, first), (_, second) = hooks.got()
    [again] = await hooks.log(id, aggregateId=hooks.managed.org_id)
    unknown = await hooks.do("deliveries/nothing/_resend", id, method="ResendDelivery")
    await hooks.do("_deactivate", id)

    assert first["webhook-id"] == second["webhook-id"]
    assert again["attemptCount"] == 2
    assert again["state"] == "DELIVERY_STATE_DELIVERED"
    assert unknown.error_code == "USER-804"
    assert (await hooks.do(path, id, method="ResendDelivery")).error_code == "USER-805"
    assert await hooks.log(id, aggregateId="somebody else") == []


async def test_new_url_gets_pending_deliveries_at_once(hooks: WebhookScenario) -> None:
    """Deliveries to the new URL do not wait for pauses of the old one."""
    id, _ = await hooks.add("first", "org.*")
    hooks.answer("first", 500)
    await hooks.rename("Renamed")
    await hooks.deliver()
    body = {"name": f"first {hooks.managed.tag}", "url": hooks.url("second"), "eventTypes": ["org.*"]}
    assert (await hooks.do("", id, body, "UpdateWebhook")).code == 0
    await hooks.deliver()

    assert hooks.about("second") == [("org.updated", hooks.managed.org_id, "2")]
    assert (await hooks.do("", id, body, "UpdateWebhook")).error_code == "USER-702"
