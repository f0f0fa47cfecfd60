from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, Final

import msgspec
import pytest
from portico_contracts.events import LOGIN_SUCCEEDED, LoginEvent
from portico_oauth.errors import ServiceError
from portico_users.accounts.store import MongoAccounts
from portico_users.end_users.end_user import EndUser
from portico_users.end_users.store import HUMANS
from portico_users.journal.journal import Journal
from portico_users.journal.outbox import Relay
from portico_users.notifications.email.message import EmailTemplate
from portico_users.notifications.notices.notices import Notices
from portico_users.organizations.org import ORGS, MongoOrgs
from portico_users.storage import transactions
from portico_users.storage.entry import Entry
from pymongo.errors import AutoReconnect

pytestmark = pytest.mark.servers


NOTICED: Final = LOGIN_SUCCEEDED
"""Changes no record, and is not an event that users publishes: users' own relay behaves like one of an older
release.
"""


class Publishing:
    def __init__(self, world: Any, human: EndUser) -> None:
        self.world, self.human = world, human
        parts = world.parts
        self.relay = Relay(parts.mongo.database, parts.bus, parts.clock, (NOTICED,), replica=world.tag)
        self.journal = world.service.find(Journal)
        notices = world.service.find(Notices)
        self.event = partial(LoginEvent, user_id=human.id, client_id="")
        self.notice = notices.notice(human, EmailTemplate.ACCOUNT_CHANGED, changes="password")

    async def published(self) -> list[LoginEvent]:
        while await self.relay.publish_batch():
            pass
        await self.relay.close()
        return [body for subject, body in self.world.bus.published if subject == NOTICED.subject]

    async def notices(self) -> list[Any]:
        found: list[Any] = await self.world.mails_to(self.human.email)
        return found


@pytest.fixture
async def publishing(users_world: Any) -> Publishing:
    applied = await users_world.apply()
    for name in ("outbox", "leases"):
        await users_world.parts.mongo.database[name].delete_many({})
    human = await MongoAccounts(users_world.parts.mongo.database).find(applied.changes[3].id)
    assert isinstance(human, EndUser)
    return Publishing(users_world, human)


async def test_event_without_change_is_published_once(publishing: Publishing) -> None:
    """The relay publishes it with the id and time of its outbox row, and the user gets one email notice."""
    await publishing.journal.publish(NOTICED, publishing.event, about=publishing.human.id, notice=publishing.notice)
    [row] = await publishing.world.rows("outbox")
    [body] = await publishing.published()
    [email] = await publishing.notices()

    assert (body.event_id, body.at, body.user_id) == (row["_id"], row["at"], publishing.human.id)
    assert await publishing.world.rows("outbox") == []
    assert email["To"] == publishing.human.email
    assert email["Message-ID"].startswith(f"<{body.event_id}@")


async def test_lost_reply_to_a_commit_wakes_the_relay(publishing: Publishing, monkeypatch: pytest.MonkeyPatch) -> None:
    """The data is committed although the call fails, so its events need no sweep; new users share a transaction."""
    woken: list[str] = []
    monkeypatch.setattr(publishing.world.service.find(Relay), "committed", lambda: woken.append("committed"))

    async def lose_reply(session: Any) -> None:
        await session.commit_transaction()
        raise AutoReconnect

    monkeypatch.setattr(transactions, "_commit", lose_reply)
    journal, human = publishing.journal, publishing.human
    names = [f"{name}-{publishing.world.tag}" for name in ("first", "second")]
    new = [msgspec.structs.replace(human, id=name, user_name=name, email="") for name in names]
    commits = (journal.commit([Entry(HUMANS, None, one)]) for one in new)
    published = journal.publish(NOTICED, publishing.event, about=human.id)
    replies = await asyncio.gather(*commits, published, return_exceptions=True)

    assert {type(reply) for reply in replies} == {ServiceError}
    assert len(await publishing.world.rows("outbox")) == 2
    assert len(woken) == 2


async def test_event_of_failed_transaction_is_not_published(publishing: Publishing) -> None:
    """Neither the event nor its notice is published if the transaction fails (FD-05)."""
    org = await MongoOrgs(publishing.world.parts.mongo.database).find(publishing.human.org_id)
    assert org is not None

    async def fail(_session: Any) -> None:
        raise ZeroDivisionError

    work = publishing.journal.publication(
        NOTICED, publishing.event, about=publishing.human.id, notice=publishing.notice
    )
    with pytest.raises(ZeroDivisionError):
        await publishing.journal.commit([Entry(ORGS, org, org, side_writes=(work, fail))])

    assert await publishing.published() == []
    assert await publishing.notices() == []


async def test_unknown_event_waits_for_a_newer_replica(publishing: Publishing) -> None:
    """During an update a replica of the older release leaves the event in the outbox and publishes the others."""
    await publishing.journal.publish(NOTICED, publishing.event, about=publishing.human.id)
    renamed = publishing.world.human(profile={"firstName": "Al", "lastName": "Adams"})
    await publishing.world.apply(publishing.world.organization(humans=[renamed]))
    while await publishing.world.service.find(Relay).publish_batch():
        pass
    await publishing.world.service.find(Relay).close()
    [waiting] = await publishing.world.rows("outbox")

    assert waiting["subject"] == NOTICED.subject
    assert len(await publishing.published()) == 1
