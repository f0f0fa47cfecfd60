"""The event and the emails when an organization has used up its text messages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

import structlog
from portico_contracts.activities.senders import TEXT_LIMIT_REACHED, TEXT_LIMITS
from portico_contracts.events import TEXT_LIMIT, TextLimitReached
from portico_oauth.errors import ServiceError
from portico_runtime.mongo.client import Session

from portico_users.accounts.store import MongoAccounts
from portico_users.administrators.member import MongoMembers
from portico_users.end_users.end_user import EndUser
from portico_users.journal.event_recorder import Occurrence
from portico_users.journal.journal import Journal
from portico_users.notifications.email.message import EmailTemplate
from portico_users.notifications.notices.notices import Notices
from portico_users.notifications.senders.sender import Sender
from portico_users.storage.entry import Work

log = structlog.get_logger("portico.senders")

_MOST: Final = 10
"""Owners who get an email."""


@dataclass(frozen=True, slots=True)
class LimitNotices:
    journal: Journal
    notices: Notices
    members: MongoMembers
    accounts: MongoAccounts

    async def limit_reached(self, org_id: str, sender: Sender) -> None:
        """The message that reached the limit is sent, whether or not this succeeds."""
        try:
            owners = await self._find_owners(org_id)
            await self.journal.publish(
                TEXT_LIMIT,
                partial(TextLimitReached, org_id=org_id, sender_id=sender.id),
                about=org_id,
                notice=partial(self._notices, owners, sender),
                logged=Occurrence(TEXT_LIMITS, org_id, TEXT_LIMIT_REACHED, {"senderId": sender.id}),
            )
        except ServiceError as error:
            log.warning("limit of text messages not published", org_id=org_id, error_code=error.id)

    async def _find_owners(self, org_id: str) -> list[EndUser]:
        found = await self.members.list_where({"scopeId": org_id, "roles": "ORG_OWNER"}, _MOST)
        users = [await self.accounts.find(one.user_id) for one in found]
        return [user for user in users if isinstance(user, EndUser)]

    def _notices(self, owners: list[EndUser], sender: Sender, event_id: str, at: float) -> Work | None:
        values = {"per_day": str(sender.messages_per_day), "per_month": str(sender.messages_per_month)}
        notices = [self.notices.notice(one, EmailTemplate.TEXT_LIMIT, **values) for one in owners]
        works = [notice(f"{event_id}.{number}", at) for number, notice in enumerate(notices)]

        async def write(session: Session) -> None:
            for work in works:
                if work:
                    await work(session)

        return write
