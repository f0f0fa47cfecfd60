"""Links in notices, with which the owner of an account disputes the change."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NamedTuple
from urllib.parse import urlencode

import msgspec
from portico_contracts.events import Changed
from portico_contracts.http import RECOVERY_PAGE
from portico_oauth.opaque import RandomBytes, b64url, fingerprint
from portico_runtime.mongo.client import Database, Session, guarded
from portico_runtime.process.clock import Clock
from pymongo import ASCENDING, IndexModel

from portico_users.storage.entry import Claim, Document, Work
from portico_users.storage.schema import Indexes
from portico_users.values.operator_settings import Issuer
from portico_users.values.session_start import session_start
from portico_users.values.timestamps import within

NOTICE_LINKS: Final = "noticeLinks"
NOTICE_LINK_INDEXES: Final[Indexes] = {
    NOTICE_LINKS: (IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0), IndexModel([("userId", ASCENDING)]))
}
SECONDS: Final = 604_800.0
"""Lifetime of a link and of its notice in the queue: late is better than never."""

_MAX_CODE: Final = 100


class NoticeLink(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A link that was sent.

    Attributes:
        id: hash of its code, which only the email contains.
        event_id: of the reported change; one notice has one link.
        not_before: unix seconds from which password codes may be sent to that address.
        since: when the session of the change began, in unix seconds; 0 without one.
    """

    id: str
    user_id: str
    mail: str
    event_id: str
    not_before: float
    expires_at: float
    since: float = 0.0

    def __repr__(self) -> str:
        return f"NoticeLink({self.event_id})"


class PlannedLink(NamedTuple):
    address: str
    work: Work

    def __repr__(self) -> str:
        return "PlannedLink(...)"


@dataclass(frozen=True, slots=True)
class NoticeLinks:
    database: Database
    clock: Clock
    random: RandomBytes
    issuer: Issuer

    def plan(self, user_id: str, mail: str, event: Changed, *, not_before: float, login_name: str) -> PlannedLink:
        """Returns a link for a notice; its code has 256 random bits, so guesses need not be counted."""
        code, ends = b64url(self.random(32)), event.at + SECONDS
        link = NoticeLink(
            id=fingerprint(code),
            user_id=user_id,
            mail=mail,
            event_id=event.event_id,
            not_before=not_before,
            expires_at=ends,
            since=session_start(event.at),
        )
        row: Document = msgspec.to_builtins(link)
        row["_id"] = row.pop("id")
        row["forgetAt"] = datetime.fromtimestamp(ends, UTC)

        async def write(session: Session) -> None:
            await self.database[NOTICE_LINKS].insert_one(row, session=session)

        return PlannedLink(f"{self.issuer}{RECOVERY_PAGE}?{urlencode({'code': code, 'loginName': login_name})}", write)

    async def find(self, code: str) -> NoticeLink | None:
        question = {"_id": fingerprint(code[:_MAX_CODE]), "expiresAt": within(SECONDS, self.clock.now())}
        async with guarded():
            row = await self.database[NOTICE_LINKS].find_one(question)
        return msgspec.convert({**row, "id": row["_id"]}, NoticeLink) if row else None

    def forget(self, user_id: str) -> Work:
        async def write(session: Session) -> None:
            await self.database[NOTICE_LINKS].delete_many({"userId": user_id}, session=session)

        return write


def notice_link_claim(link: NoticeLink) -> Claim:
    """Uses up a link in a transaction; of concurrent transactions only one succeeds."""
    return Claim(NOTICE_LINKS, link.id)
