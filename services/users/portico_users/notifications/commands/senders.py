"""Senders of text messages and emails, of organizations and of the instance."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import RandomBytes
from portico_runtime.process.clock import Clock

from portico_users.identity_providers.secrets import SecretSealer
from portico_users.journal.command import Command, Commit
from portico_users.notifications.senders.rules import problems_of
from portico_users.notifications.senders.secrets import KEEP_SECONDS, with_password, with_secret
from portico_users.notifications.senders.sender import SENDER_TABLE, Channel, MongoSenders, Sender
from portico_users.storage.entry import Entry
from portico_users.values.names import new_id
from portico_users.values.operator_settings import OutboundAllowed
from portico_users.values.problems import at, refuse_first
from portico_users.values.records import State, refuse_unchanged
from portico_users.webhooks.changes import INVALID_SECRET
from portico_users.webhooks.webhook import is_secret, new_secret

SENDER_NOT_FOUND = ErrorCode(
    "USER-168", Kind.NOT_FOUND, "No sender of messages is set up here.", "Set one up, or use that of the instance."
)
NO_HOOK = ErrorCode(
    "USER-169",
    Kind.FAILED_PRECONDITION,
    "This sender is a mail server and signs nothing.",
    "Set its password with the other values of the sender.",
)


@dataclass(frozen=True, slots=True)
class PlannedSender:
    entry: Entry[Sender]
    secret: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class SetSender(Command):
    commit: Commit
    senders: MongoSenders
    sealer: SecretSealer
    allowed: OutboundAllowed
    random: RandomBytes

    async def find_or_new(self, owner_id: str, channel: Channel) -> Sender:
        """A sender that is not stored yet has no sequence."""
        found = await self.senders.find_of(owner_id, channel)
        return found or Sender(id=new_id(self.random), org_id=owner_id, channel=channel)

    def plan(self, before: Sender, after: Sender, *, password: str = "", secret: str = "") -> PlannedSender:
        """Returns the generated secret of a new hook. An empty password keeps the one of the same server and user."""
        if after.smtp_user and password:
            after = with_password(after, password, self.sealer)
        elif not after.smtp_user or _server_of(before) != _server_of(after):
            after = msgspec.structs.replace(after, smtp_password="")
        after, made = self._with_secret(before, after, secret)
        refuse_first(problems_of(after, self.allowed))
        return PlannedSender(Entry(SENDER_TABLE, before if before.sequence else None, after), made)

    async def __call__(self, before: Sender, after: Sender, password: str = "", *, actor: str) -> tuple[Sender, str]:
        planned = self.plan(before, after, password=password)
        refuse_unchanged(before, planned.entry.after)
        return await self.commit(planned.entry, actor=actor), planned.secret

    def _with_secret(self, before: Sender, after: Sender, secret: str) -> tuple[Sender, str]:
        if not after.url:
            return msgspec.structs.replace(after, secrets=()), ""
        if secret and not is_secret(secret):
            raise at("secret", INVALID_SECRET.error())
        if before.secrets:
            return after, ""
        made = "" if secret else new_secret(self.random)
        return with_secret(after, secret or made, self.sealer), made


@dataclass(frozen=True, slots=True)
class RotateSenderSecret(Command):
    """Replaces the secret; the previous one signs for another day."""

    commit: Commit
    sealer: SecretSealer
    clock: Clock
    random: RandomBytes

    async def __call__(self, before: Sender, *, actor: str) -> tuple[Sender, str]:
        if not before.url:
            raise NO_HOOK.error()
        secret = new_secret(self.random)
        after = with_secret(before, secret, self.sealer, old_until=self.clock.now() + KEEP_SECONDS)
        return await self.commit(Entry(SENDER_TABLE, before, after), actor=actor), secret


@dataclass(frozen=True, slots=True)
class RemoveSender(Command):
    """Deletes the secrets. Messages that wait are sent by the sender that applies then."""

    commit: Commit

    def plan(self, before: Sender) -> Entry[Sender]:
        after = msgspec.structs.replace(before, state=State.DELETED, secrets=(), smtp_password="")
        return Entry(SENDER_TABLE, before, after)

    async def __call__(self, before: Sender, *, actor: str) -> Sender:
        return await self.commit(self.plan(before), actor=actor)


def _server_of(sender: Sender) -> tuple[str, int, str]:
    return sender.smtp_host, sender.smtp_port, sender.smtp_user
