"""Test messages by a sender, whose record of deliveries has the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_oauth.opaque import RandomBytes
from portico_runtime.mongo.client import MongoClient, Session
from portico_runtime.process.clock import Clock
from portico_web.languages import pick_language

from portico_users.credentials.texts import NO_TEXT_MESSAGES, Texts
from portico_users.journal.command import Command
from portico_users.notifications.commands.send_test_email import SECONDS, SendTestEmail
from portico_users.notifications.email.queue import commit_waking
from portico_users.notifications.email.text_message import TextMessage, TextPurpose
from portico_users.notifications.senders.sender import Sender
from portico_users.organizations.org import MongoOrgs
from portico_users.values.names import INVALID_PHONE, is_phone, new_id
from portico_users.values.operator_settings import Issuer
from portico_users.values.problems import at

_INSTANCE_NAME: Final = "Portico"


@dataclass(frozen=True, slots=True)
class TrySmsSender(Command):
    mongo: MongoClient
    texts: Texts
    orgs: MongoOrgs
    clock: Clock
    random: RandomBytes
    issuer: Issuer

    async def __call__(self, sender: Sender, phone: str, language: str, *, actor: str) -> None:
        """Raises USER-404 without master keys, USER-006, and as `Texts.count`."""
        queue = self.texts.queue
        if queue is None:
            raise NO_TEXT_MESSAGES.error()
        if not is_phone(phone):
            raise at("phone", INVALID_PHONE.error())
        org = await self.orgs.find(sender.org_id)
        await self.texts.count(sender, phone, org_id=sender.org_id, user_id=actor)
        message = TextMessage(
            purpose=TextPurpose.TEST,
            to=phone,
            code="",
            language=pick_language((language,)).tag,
            organization=org.name if org else _INSTANCE_NAME,
            issuer=self.issuer,
            org_id=sender.org_id,
            user_id=actor,
            sender_id=sender.id,
        )
        id, until = new_id(self.random), self.clock.now() + SECONDS

        async def write(session: Session) -> None:
            await queue.put(session, message, id=id, until=until)

        await commit_waking(queue, self.mongo, write)


@dataclass(frozen=True, slots=True)
class TryEmailSender(Command):
    send: SendTestEmail

    async def __call__(self, sender: Sender, language: str, *, actor: str) -> str:
        return await self.send(actor, language, by=sender)
