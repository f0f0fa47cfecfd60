"""The email queue: no loss, no needless duplicates, no infinite waiting (FD-24)."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest
from portico_harness.eventually import eventually
from portico_oauth.errors import ServiceError
from portico_runtime.process.wakeup import Wakeup
from portico_users.assembly.makers import EmailWakeup
from portico_users.end_users.codes.challenges import Challenges
from portico_users.notifications.email.dispatcher import EmailDispatcher
from portico_users.notifications.email.queue import LEASE_SECONDS, EmailQueue
from portico_users.notifications.email.transport import NotNow, Undeliverable
from portico_users.storage import transactions
from pymongo.errors import AutoReconnect

pytestmark = pytest.mark.servers


@pytest.fixture(autouse=True)
async def empty_mailbag(users_world: Any) -> None:
    await users_world.parts.mongo.database["mails"].delete_many({})
    await users_world.home()


async def register_many(world: Any, number: int) -> list[str]:
    mails = [world.mail(f"eve{index}") for index in range(number)]
    await asyncio.gather(*(world.register(mail) for mail in mails))
    return mails


def taken(*worlds: Any) -> Counter[str]:
    return Counter(str(mail["To"]) for world in worlds for mail in world.kept.taken)


async def test_two_replicas_send_each_email_once(users_world: Any, other_replica: Any) -> None:
    """Both replicas send concurrently, each email is claimed by one, and the queue is empty afterwards."""
    mails = await register_many(users_world, 20)
    await asyncio.gather(
        users_world.service.find(EmailDispatcher).send_due(), other_replica.service.find(EmailDispatcher).send_due()
    )

    assert taken(users_world, other_replica) == Counter(mails)
    assert await users_world.rows("mails") == []


async def test_email_of_an_uncertain_commit_is_sent_at_once(users_world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The email is committed although the reply is lost and the call fails, so it needs no sweep."""
    wakeup: Wakeup = users_world.service.find(EmailWakeup)
    while await wakeup.wait(0):
        pass

    async def lose_reply(session: Any) -> None:
        await session.commit_transaction()
        raise AutoReconnect

    monkeypatch.setattr(transactions, "_commit", lose_reply)
    with pytest.raises(ServiceError):
        await users_world.register(users_world.mail())

    assert len(await users_world.rows("mails")) == 1
    assert await wakeup.wait(0)


async def test_emails_wait_while_the_server_is_down(users_world: Any) -> None:
    """Registration is not delayed; all emails are sent after the outage, and their codes are still valid (FD-24)."""
    users_world.kept.failure = NotNow("ConnectionRefusedError")
    mail = users_world.mail()
    sent = await users_world.register(mail)
    for _ in range(12):
        await users_world.service.find(EmailDispatcher).send_due()
        users_world.clock.tick(60)
    waiting = await users_world.rows("mails")
    users_world.kept.failure = None
    user = await users_world.verify(sent.challenge, await users_world.newest_code(mail))

    assert [row["attempts"] for row in waiting] == [12]
    assert user is not None
    assert taken(users_world) == {mail: 1}


async def test_failed_email_is_retried_with_a_delay(users_world: Any) -> None:
    """The delay is two seconds after the first failure, and four after the second."""
    users_world.kept.failure = NotNow("421")
    await users_world.register(users_world.mail())
    seen = []
    for seconds in (0, 0, 1.9, 0.1, 3.9, 0.1):
        users_world.clock.tick(seconds)
        await users_world.service.find(EmailDispatcher).send_due()
        seen.append((await users_world.rows("mails"))[0]["attempts"])

    assert seen == [1, 1, 1, 2, 2, 3]
    assert await users_world.service.find(EmailQueue).find_next_time() == users_world.clock.now() + 8
    await users_world.parts.mongo.database["mails"].delete_many({})
    assert await users_world.service.find(EmailQueue).find_next_time() is None


async def test_crash_between_claim_and_sending_loses_nothing(users_world: Any, other_replica: Any) -> None:
    """Another replica may claim an email only after the lease has expired."""
    mail = users_world.mail()
    await users_world.register(mail)
    claimed = await users_world.service.find(EmailDispatcher)._email_queue.claim()
    await other_replica.service.find(EmailDispatcher).send_due()
    early = taken(other_replica)
    users_world.clock.tick(LEASE_SECONDS)
    await other_replica.service.find(EmailDispatcher).send_due()

    assert claimed is not None
    assert early == {}
    assert taken(other_replica) == {mail: 1}


async def test_crash_after_sending_sends_the_same_message_again(users_world: Any, other_replica: Any) -> None:
    """The second message has the same Message-ID, so that the recipient's server can detect it."""
    mail = users_world.mail()
    await users_world.register(mail)
    [message] = await users_world.mails_to(mail)
    await users_world.register(mail)
    first = await users_world.service.find(EmailDispatcher)._email_queue.claim()
    users_world.clock.tick(LEASE_SECONDS)
    await other_replica.service.find(EmailDispatcher).send_due()
    [again] = other_replica.kept.taken

    assert again["Message-ID"] == f"<{first.id}@id.example>"
    assert again["Message-ID"] != message["Message-ID"]


async def test_result_after_the_lease_is_ignored(users_world: Any, other_replica: Any) -> None:
    """Another replica may have claimed the email after the lease expired."""
    await users_world.register(users_world.mail())
    slow = users_world.service.find(EmailDispatcher)._email_queue
    late = await slow.claim()
    users_world.clock.tick(LEASE_SECONDS)
    current = await other_replica.service.find(EmailDispatcher)._email_queue.claim()
    await slow.settle(late, delivered=True)
    await slow.put_back(late)
    await slow.give_up(late, "too slow")
    [row] = await users_world.rows("mails")

    assert (row["state"], row["ticket"], row["attempts"]) == ("waiting", current.ticket, 2)


async def test_undeliverable_email_is_given_up(users_world: Any) -> None:
    """An undeliverable email is not retried; a record without its content stays visible for a week."""
    users_world.kept.failure = Undeliverable("SMTPRecipientRefused 550")
    await users_world.register(users_world.mail())
    await users_world.service.find(EmailDispatcher).send_due()
    users_world.kept.failure = None
    users_world.clock.tick(3_000)
    await users_world.service.find(EmailDispatcher).send_due()
    [row] = await users_world.rows("mails")

    assert (row["state"], row["cause"], row["attempts"]) == ("given up", "SMTPRecipientRefused 550", 1)
    assert "sealed" not in row
    assert taken(users_world) == {}


async def test_expired_email_is_given_up(users_world: Any) -> None:
    """An email with an expired code is not sent."""
    users_world.kept.failure = NotNow("down")
    await users_world.register(users_world.mail())
    await users_world.service.find(EmailDispatcher).send_due()
    users_world.kept.failure = None
    users_world.clock.tick(3_600)
    await users_world.service.find(EmailDispatcher).send_due()
    [row] = await users_world.rows("mails")

    assert (row["state"], row["cause"]) == ("given up", "too late")


@pytest.mark.parametrize("member", ["data", "nonce", "master"])
async def test_tampered_email_is_not_sent(users_world: Any, member: str) -> None:
    """An email that was changed, or moved to another id, cannot be decrypted."""
    mails = users_world.parts.mongo.database["mails"]
    await register_many(users_world, 2)
    one, other = await users_world.rows("mails")
    changed = other["sealed"][member] if member != "master" else "0123456789abcdef"
    await mails.update_one({"_id": one["_id"]}, {"$set": {f"sealed.{member}": changed}})
    await users_world.service.find(EmailDispatcher).send_due()
    [row] = await users_world.rows("mails")

    assert (row["_id"], row["cause"]) == (one["_id"], "cannot be unsealed")
    assert taken(users_world).total() == 1


async def test_shutdown_waits_for_emails_in_transmission(users_world: Any) -> None:
    """A replica that is stopped finishes sending an email, so that it is not sent a second time."""
    mail, begun, go_on = users_world.mail(), asyncio.Event(), asyncio.Event()
    await users_world.register(mail)
    send = users_world.kept.send

    async def slowly(message: Any) -> None:
        begun.set()
        await go_on.wait()
        await send(message)

    users_world.kept.send = slowly
    working = asyncio.create_task(users_world.service.find(EmailDispatcher).run_once())
    await begun.wait()
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    closing = asyncio.create_task(users_world.service.find(EmailDispatcher).close())
    go_on.set()
    await closing

    assert taken(users_world) == {mail: 1}
    assert await users_world.rows("mails") == []


async def test_slow_email_delays_no_other(users_world: Any) -> None:
    """An email that is queued while the mail server hesitates about another one leaves at once."""
    slow, other, begun, go_on = users_world.mail(), users_world.mail("other"), asyncio.Event(), asyncio.Event()
    await users_world.register(slow)
    send, dispatcher = users_world.kept.send, users_world.service.find(EmailDispatcher)

    async def slowly(message: Any) -> None:
        if message["To"] == slow:
            begun.set()
            await go_on.wait()
        await send(message)

    async def work() -> None:
        while True:
            await dispatcher.run_once()

    async def sent() -> Counter[str]:
        return taken(users_world)

    users_world.kept.send = slowly
    working = asyncio.create_task(work())
    await begun.wait()
    await users_world.register(other)
    await eventually(sent, lambda found: found == {other: 1})
    go_on.set()
    await eventually(sent, lambda found: found == {slow: 1, other: 1})
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    await dispatcher.close()


async def test_failed_transaction_sends_no_email(users_world: Any) -> None:
    """The email is enqueued with its challenge or not at all (FD-05)."""
    await users_world.register(users_world.mail())
    challenges = users_world.service.find(Challenges)
    challenge = await challenges.find((await users_world.register(users_world.mail("other"))).challenge)
    await challenges.drop(challenge)
    before = await users_world.rows("mails")
    with pytest.raises(Exception, match="USER-014"):
        await challenges.open(challenge.purpose, (), instead_of=challenge)

    assert await users_world.rows("mails") == before
