"""Links in notices: with one the owner of an account denies the change that the notice named."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NamedTuple
from urllib.parse import urlencode

import msgspec
from portico_contracts.events import Changed
from portico_contracts.http import RECOVERY_PAGE
from portico_oauth.opaque import RandomBytes, b64url, fingerprint
from portico_runtime.clock import Clock
from portico_runtime.mongo import Database, Session, guarded
from pymongo import ASCENDING, IndexModel

from portico_users.kernel.entry import Claim, Document, Work
from portico_users.kernel.operator_settings import Issuer
from portico_users.kernel.schema import Indexes
from portico_users.kernel.timestamps import within

NOTICE_LINKS: Final = "noticeLinks"
NOTICE_LINK_INDEXES: Final[Indexes] = {
    NOTICE_LINKS: (IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0), IndexModel([("userId", ASCENDING)]))
}
SECONDS: Final = 604_800.0
"""Lifetime of a link, and how long its notice is of use: late is better than never."""

_MAX_CODE: Final = 100


class NoticeLink(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A link that was sent.

    Attributes:
        id: fingerprint of its code, which only the email contains.
        mail: the address the notice went to.
        event_id: of the change that the notice named; one notice has one link.
        not_before: unix seconds from which on a code for a password may be sent to that address.
    """

    id: str
    user_id: str
    mail: str
    event_id: str
    not_before: float
    expires_at: float

    def __repr__(self) -> str:
        """Names the event only."""
        return f"NoticeLink({self.event_id})"


class PlannedLink(NamedTuple):
    """A link that is valid once its work is committed."""

    address: str
    work: Work

    def __repr__(self) -> str:
        """Names the kind only: the address contains the code."""
        return "PlannedLink(...)"


@dataclass(frozen=True, slots=True)
class NoticeLinks:
    """Stores links, by the hash of their codes."""

    database: Database
    clock: Clock
    random: RandomBytes
    issuer: Issuer

    def plan(self, user_id: str, mail: str, event: Changed, *, not_before: float, login_name: str) -> PlannedLink:
        """A link for the notice of an event; its code has 256 random bits, so that guesses need not be counted.

        Args:
            login_name: what the password manager of the reader stores the new password under.
            mail, not_before: see `NoticeLink`.
        """
        code, ends = b64url(self.random(32)), event.at + SECONDS
        link = NoticeLink(
            id=fingerprint(code),
            user_id=user_id,
            mail=mail,
            event_id=event.event_id,
            not_before=not_before,
            expires_at=ends,
        )
        row: Document = msgspec.to_builtins(link)
        row["_id"] = row.pop("id")
        row["forgetAt"] = datetime.fromtimestamp(ends, UTC)

        async def write(session: Session) -> None:
            await self.database[NOTICE_LINKS].insert_one(row, session=session)

        return PlannedLink(f"{self.issuer}{RECOVERY_PAGE}?{urlencode({'code': code, 'loginName': login_name})}", write)

    async def find(self, code: str) -> NoticeLink | None:
        """The link of a code until it expires or is used."""
        question = {"_id": fingerprint(code[:_MAX_CODE]), "expiresAt": within(SECONDS, self.clock.now())}
        async with guarded():
            row = await self.database[NOTICE_LINKS].find_one(question)
        return msgspec.convert({**row, "id": row["_id"]}, NoticeLink) if row else None

    def forget(self, user_id: str) -> Work:
        """What deletes all links of a user."""

        async def write(session: Session) -> None:
            await self.database[NOTICE_LINKS].delete_many({"userId": user_id}, session=session)

        return write


def notice_link_claim(link: NoticeLink) -> Claim:
    """Uses a link up in the transaction of what it is for: of several transactions at once one succeeds."""
    return Claim(NOTICE_LINKS, link.id)
