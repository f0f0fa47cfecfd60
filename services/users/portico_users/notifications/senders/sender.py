"""The settings of a sender, and where they are stored."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from portico_contracts.apply import EmailSender, SmsSender
from portico_contracts.events import SENDER_CHANGED
from pymongo import ASCENDING, IndexModel

from portico_users.storage.entry import Document, Table
from portico_users.storage.reader import Reader
from portico_users.values.fields import Field, Fields
from portico_users.values.problems import CHANGED_MEANWHILE
from portico_users.values.records import Record, State
from portico_users.webhooks.webhook import SigningSecret


class Channel(StrEnum):
    SMS = "sms"
    EMAIL = "email"


class Sender(Record, frozen=True, kw_only=True):
    """How an organization or the instance sends text messages, or an organization its emails.

    Attributes:
        url: receives messages by HTTP; empty for SMTP.
        secrets: newest first; two during a rotation.
        allowed_prefixes: text messages go only to numbers that begin with one of them.
        messages_per_day: text messages that each organization may send by this sender.
        smtp_password: sealed for host, port and user.
        from_address: for SMTP, such as ``Example <no-reply@example.com>``.
    """

    channel: Channel
    url: str = ""
    secrets: tuple[SigningSecret, ...] = ()
    allowed_prefixes: tuple[str, ...] = ()
    messages_per_day: int = 0
    messages_per_month: int = 0
    smtp_host: str = ""
    smtp_port: int = 0
    smtp_security: str = ""
    smtp_user: str = ""
    smtp_password: str = ""
    from_address: str = ""


_RATHER_SMS: Final = ("allowed_prefixes", "messages_per_day", "messages_per_month")
_RATHER_EMAIL: Final = ("smtp_host", "smtp_port", "smtp_security", "smtp_user", "from_address")
_SECRET: Final = ("channel", "state", "secrets", "smtp_password")

SMS_SENDER_FIELDS: Final = Fields(Sender, SmsSender, hidden=(*_SECRET, *_RATHER_EMAIL))


class _Security:
    """Converts ``SMTP_SECURITY_STARTTLS`` and ``starttls``; empty for a hook."""

    def read(self, value: object) -> str:
        word = str(value).removeprefix("SMTP_SECURITY_").lower()
        return "" if word == _NO_SECURITY else word

    def write(self, value: object) -> str:
        return str(value) or _NO_SECURITY


_NO_SECURITY: Final = "unspecified"

EMAIL_SENDER_FIELDS: Final = Fields(
    Sender, EmailSender, (Field("smtp_security", conversion=_Security()),), hidden=(*_SECRET, *_RATHER_SMS)
)


def _keys(sender: Sender) -> Document:
    """A removed sender makes room for another one."""
    removed = sender.state is State.DELETED
    return {"ownerKey": sender.id if removed else owner_key(sender.org_id, sender.channel)}


def owner_key(owner_id: str, channel: Channel) -> str:
    return f"{channel}:{owner_id}"


SENDER_TABLE: Final[Table[Sender]] = Table(
    "senders",
    Sender,
    SENDER_CHANGED,
    _keys,
    private=frozenset({"secrets", "smtp_password"}),
    indexes=(IndexModel([("ownerKey", ASCENDING)], unique=True),),
    duplicates={"ownerKey": CHANGED_MEANWHILE},
)


class MongoSenders(Reader[Sender]):
    table = SENDER_TABLE

    async def find_of(self, owner_id: str, channel: Channel) -> Sender | None:
        return await self.find_where({"ownerKey": owner_key(owner_id, channel)})

    async def map_of(self, owner_id: str) -> dict[Channel, Sender]:
        """All of an organization, or of the instance, in one read."""
        keys = [owner_key(owner_id, channel) for channel in Channel]
        return {sender.channel: sender for sender in await self.list_where({"ownerKey": {"$in": keys}}, len(keys))}
